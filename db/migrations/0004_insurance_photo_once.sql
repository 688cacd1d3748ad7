DROP INDEX "insurance_photo_draft";--> statement-breakpoint
ALTER TABLE "insurance_photo" ADD COLUMN "content_hash" "bytea" NOT NULL;--> statement-breakpoint
ALTER TABLE "insurance_photo" ADD CONSTRAINT "insurance_photo_once" UNIQUE("draft_id","content_hash");