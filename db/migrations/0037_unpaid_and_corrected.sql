CREATE TABLE "desk_email_correction" (
	"id" uuid PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"content" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "application" ADD COLUMN "email_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "purchase_order" ADD COLUMN "email_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "purchase_order" ADD COLUMN "reminded_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "desk_email_correction" ADD CONSTRAINT "desk_email_correction_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "desk_email_correction_of" ON "desk_email_correction" USING btree ("application_id","at");--> statement-breakpoint
CREATE INDEX "order_payer_email" ON "purchase_order" USING btree (lower("customer_email"));--> statement-breakpoint
CREATE INDEX "order_unpaid" ON "purchase_order" USING btree ("created_at") WHERE "purchase_order"."paid_at" is null and "purchase_order"."closed_at" is null and "purchase_order"."reminded_at" is null and not "purchase_order"."lab";