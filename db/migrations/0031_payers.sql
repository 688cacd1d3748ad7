CREATE TABLE "order_payer_device" (
	"order_id" uuid NOT NULL,
	"session_hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "order_payer_device_order_id_session_hash_pk" PRIMARY KEY("order_id","session_hash")
);
--> statement-breakpoint
ALTER TABLE "payment_attempt" ADD COLUMN "begun_by" text DEFAULT 'payer' NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_attempt" ADD COLUMN "session_hash" "bytea";--> statement-breakpoint
ALTER TABLE "order_payer_device" ADD CONSTRAINT "order_payer_device_order_id_purchase_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."purchase_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_payer_device_created" ON "order_payer_device" USING btree ("created_at");