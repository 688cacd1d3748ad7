CREATE TABLE "insurance_draft_device" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"draft_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "insurance_draft_link" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"draft_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "insurance_draft" DROP CONSTRAINT "insurance_draft_token_hash_unique";--> statement-breakpoint
ALTER TABLE "insurance_draft" ADD COLUMN "version" integer NOT NULL DEFAULT 1;--> statement-breakpoint
ALTER TABLE "insurance_draft" ADD COLUMN "language" text NOT NULL DEFAULT 'en';--> statement-breakpoint
ALTER TABLE "insurance_draft" ADD COLUMN "changing" text;--> statement-breakpoint
ALTER TABLE "insurance_draft_device" ADD CONSTRAINT "insurance_draft_device_draft_id_insurance_draft_id_fk" FOREIGN KEY ("draft_id") REFERENCES "public"."insurance_draft"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insurance_draft_link" ADD CONSTRAINT "insurance_draft_link_draft_id_insurance_draft_id_fk" FOREIGN KEY ("draft_id") REFERENCES "public"."insurance_draft"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "insurance_draft_device_draft" ON "insurance_draft_device" USING btree ("draft_id");--> statement-breakpoint
ALTER TABLE "insurance_draft" ALTER COLUMN "version" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "insurance_draft" ALTER COLUMN "language" DROP DEFAULT;--> statement-breakpoint
-- A browser that holds a draft keeps it.
INSERT INTO "insurance_draft_device" ("token_hash", "draft_id", "created_at") SELECT "token_hash", "id", "created_at" FROM "insurance_draft";--> statement-breakpoint
ALTER TABLE "insurance_draft" DROP COLUMN "token_hash";