CREATE TABLE "desk_upload" (
	"file_id" text PRIMARY KEY NOT NULL,
	"staff_id" uuid NOT NULL,
	"size" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"application_id" uuid
);
--> statement-breakpoint
ALTER TABLE "country" DROP CONSTRAINT "country_stay";--> statement-breakpoint
ALTER TABLE "country" DROP CONSTRAINT "country_entries";--> statement-breakpoint
ALTER TABLE "notice" ADD COLUMN "claimed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "desk_upload_unused" ON "desk_upload" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "staff_account" DROP COLUMN "failures";--> statement-breakpoint
ALTER TABLE "staff_account" DROP COLUMN "locked_until";--> statement-breakpoint
ALTER TABLE "country" ADD CONSTRAINT "country_evisa" CHECK (("country"."entries" is not null) = ("country"."regime" in ('evisa', 'evisa_with_document')));--> statement-breakpoint
ALTER TABLE "country" ADD CONSTRAINT "country_stay" CHECK (coalesce("country"."max_stay_days" > 0, "country"."regime" = 'no_evisa'));--> statement-breakpoint
ALTER TABLE "country" ADD CONSTRAINT "country_entries" CHECK ("country"."entries" in ('single', 'multiple'));