CREATE TABLE "visa_draft_device" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"draft_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "visa_draft" DROP CONSTRAINT "visa_draft_token_hash_unique";--> statement-breakpoint
ALTER TABLE "visa_draft_device" ADD CONSTRAINT "visa_draft_device_draft_id_visa_draft_id_fk" FOREIGN KEY ("draft_id") REFERENCES "public"."visa_draft"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "visa_draft_device_draft" ON "visa_draft_device" USING btree ("draft_id");--> statement-breakpoint
ALTER TABLE "visa_draft" DROP COLUMN "token_hash";