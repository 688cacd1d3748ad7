CREATE TABLE "desk_note" (
	"id" uuid PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"text" "bytea" NOT NULL,
	"written_at" timestamp (3) with time zone NOT NULL,
	"edited_at" timestamp (3) with time zone,
	"struck_at" timestamp (3) with time zone,
	"struck_by" uuid,
	"struck_why" "bytea",
	CONSTRAINT "desk_note_struck" CHECK (num_nonnulls("desk_note"."struck_at", "desk_note"."struck_by", "desk_note"."struck_why") in (0, 3))
);
--> statement-breakpoint
ALTER TABLE "desk_note" ADD CONSTRAINT "desk_note_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "desk_note_of" ON "desk_note" USING btree ("application_id","written_at");