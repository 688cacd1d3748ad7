CREATE TABLE "application_correction" (
	"id" uuid PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"fields" text[] NOT NULL,
	"note" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"reminded_at" timestamp (3) with time zone,
	"answered_at" timestamp (3) with time zone,
	"changes" "bytea",
	"closed_at" timestamp (3) with time zone,
	"expired_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "application_correction" ADD CONSTRAINT "application_correction_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "application_correction_of" ON "application_correction" USING btree ("application_id","asked_at");--> statement-breakpoint
CREATE UNIQUE INDEX "application_correction_open" ON "application_correction" USING btree ("application_id") WHERE "application_correction"."answered_at" is null and "application_correction"."closed_at" is null;--> statement-breakpoint
INSERT INTO "application_correction" ("id", "application_id", "fields", "note", "staff_id", "asked_at", "answered_at", "closed_at") SELECT "id", "application_id", "fields", "note", "staff_id", "asked_at", "answered_at", "closed_at" FROM "visa_correction";
