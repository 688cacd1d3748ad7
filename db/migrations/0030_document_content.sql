ALTER TABLE "application_document" ADD COLUMN "content_hash" "bytea";--> statement-breakpoint
ALTER TABLE "desk_upload" ADD COLUMN "content_hash" "bytea";--> statement-breakpoint
ALTER TABLE "desk_upload" ADD COLUMN "text" "bytea";--> statement-breakpoint
CREATE INDEX "application_document_content" ON "application_document" USING btree ("content_hash");