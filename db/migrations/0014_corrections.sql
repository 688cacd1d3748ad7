CREATE TABLE "visa_correction" (
	"id" uuid PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"fields" text[] NOT NULL,
	"note" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"closed_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "application" ADD COLUMN "paused_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "visa_correction" ADD CONSTRAINT "visa_correction_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "visa_correction_of" ON "visa_correction" USING btree ("application_id","asked_at");--> statement-breakpoint
CREATE UNIQUE INDEX "visa_correction_open" ON "visa_correction" USING btree ("application_id") WHERE "visa_correction"."answered_at" is null and "visa_correction"."closed_at" is null;