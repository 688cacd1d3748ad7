CREATE TABLE "desk_draft" (
	"id" uuid PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"seen" text NOT NULL,
	"file_id" text,
	"rejection_code" text,
	"words" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "application" DROP CONSTRAINT "application_reason";--> statement-breakpoint
ALTER TABLE "application" ADD COLUMN "rejection_code" text;--> statement-breakpoint
ALTER TABLE "desk_upload" ADD COLUMN "draft_for" uuid;--> statement-breakpoint
CREATE INDEX "desk_draft_age" ON "desk_draft" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "application" ADD CONSTRAINT "application_reason" CHECK ("application"."status" <> 'rejected' or coalesce(length("application"."rejection_reason"), 0) > 0 or coalesce("application"."rejection_code", 'other') <> 'other');