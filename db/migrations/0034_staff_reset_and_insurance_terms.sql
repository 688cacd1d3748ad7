CREATE TABLE "staff_reset" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"account_id" uuid NOT NULL,
	"asked_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "staff_reset_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "insurance_terms" ADD COLUMN "change_id" integer;--> statement-breakpoint
ALTER TABLE "insurance_terms" ADD COLUMN "address" text;--> statement-breakpoint
ALTER TABLE "insurance_terms" ADD COLUMN "complaint_contact" text;--> statement-breakpoint
ALTER TABLE "insurance_terms" ADD COLUMN "wording" jsonb;--> statement-breakpoint
ALTER TABLE "staff_session" ADD COLUMN "device" text;--> statement-breakpoint
ALTER TABLE "staff_reset" ADD CONSTRAINT "staff_reset_account_id_staff_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "staff_reset_account" ON "staff_reset" USING btree ("account_id");--> statement-breakpoint
ALTER TABLE "insurance_terms" ADD CONSTRAINT "insurance_terms_change_id_unique" UNIQUE("change_id");