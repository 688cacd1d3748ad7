CREATE TABLE "order_receipt" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"year" smallint NOT NULL,
	"serial" integer NOT NULL,
	"order_id" uuid NOT NULL,
	"refund_id" uuid,
	"facts" jsonb NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "order_receipt_refund_id_unique" UNIQUE("refund_id"),
	CONSTRAINT "order_receipt_number" UNIQUE("kind","year","serial"),
	CONSTRAINT "order_receipt_refund" CHECK (("order_receipt"."kind" = 'credit_note') = ("order_receipt"."refund_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "receipt_counter" (
	"kind" text NOT NULL,
	"year" smallint NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "receipt_counter_kind_year_pk" PRIMARY KEY("kind","year")
);
--> statement-breakpoint
ALTER TABLE "order_receipt" ADD CONSTRAINT "order_receipt_order_id_purchase_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."purchase_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "order_receipt_once" ON "order_receipt" USING btree ("order_id") WHERE "order_receipt"."kind" = 'receipt';--> statement-breakpoint
CREATE INDEX "order_receipt_of" ON "order_receipt" USING btree ("order_id","issued_at");