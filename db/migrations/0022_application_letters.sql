CREATE TABLE "application_letter" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"content" "bytea",
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	"failure" text,
	"resent_from" uuid,
	"staff_id" uuid
);
--> statement-breakpoint
CREATE TABLE "application_letter_of" (
	"application_id" uuid NOT NULL,
	"letter_id" uuid NOT NULL,
	CONSTRAINT "application_letter_of_application_id_letter_id_pk" PRIMARY KEY("application_id","letter_id")
);
--> statement-breakpoint
ALTER TABLE "application_letter_of" ADD CONSTRAINT "application_letter_of_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_letter_of" ADD CONSTRAINT "application_letter_of_letter_id_application_letter_id_fk" FOREIGN KEY ("letter_id") REFERENCES "public"."application_letter"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "application_letter_age" ON "application_letter" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "application_letter_again" ON "application_letter" USING btree ("resent_from");--> statement-breakpoint
CREATE INDEX "application_letter_of_letter" ON "application_letter_of" USING btree ("letter_id");