CREATE TABLE "order_refund" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"application_numbers" text[] NOT NULL,
	"cause" text NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"note" text,
	"requested_by" uuid,
	"released_by" uuid,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"released_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "order_refund_line" (
	"id" uuid PRIMARY KEY NOT NULL,
	"refund_id" uuid NOT NULL,
	"order_line_id" uuid NOT NULL,
	"amount_minor" integer NOT NULL,
	"proposed_minor" integer NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "order_refund_line_amount" CHECK ("order_refund_line"."amount_minor" > 0 and "order_refund_line"."proposed_minor" >= 0)
);
--> statement-breakpoint
CREATE TABLE "payment_refund" (
	"id" uuid PRIMARY KEY NOT NULL,
	"attempt_id" uuid NOT NULL,
	"amount_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"state" text NOT NULL,
	"provider_refund_id" text,
	"reason" text NOT NULL,
	"requested_by" text NOT NULL,
	"released_by" text,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"released_at" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"decided_at" timestamp (3) with time zone,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"ask_at" timestamp (3) with time zone,
	"failure" text,
	CONSTRAINT "payment_refund_amount" CHECK ("payment_refund"."amount_minor" > 0),
	CONSTRAINT "payment_refund_decided" CHECK (("payment_refund"."state" in ('completed', 'failed', 'withdrawn')) = ("payment_refund"."decided_at" is not null)),
	CONSTRAINT "payment_refund_asked" CHECK (("payment_refund"."state" in ('requested', 'sent', 'pending')) = ("payment_refund"."ask_at" is not null)),
	CONSTRAINT "payment_refund_released" CHECK ("payment_refund"."state" = 'withdrawn' or "payment_refund"."released_by" <> "payment_refund"."requested_by")
);
--> statement-breakpoint
ALTER TABLE "purchase_order" ADD COLUMN "refund_policy" jsonb;--> statement-breakpoint
ALTER TABLE "payment_attempt" ADD COLUMN "claimed_minor" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_refund" ADD CONSTRAINT "order_refund_id_payment_refund_id_fk" FOREIGN KEY ("id") REFERENCES "public"."payment_refund"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_refund" ADD CONSTRAINT "order_refund_order_id_purchase_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."purchase_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_refund_line" ADD CONSTRAINT "order_refund_line_refund_id_order_refund_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."order_refund"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_refund_line" ADD CONSTRAINT "order_refund_line_order_line_id_order_line_id_fk" FOREIGN KEY ("order_line_id") REFERENCES "public"."order_line"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_refund" ADD CONSTRAINT "payment_refund_attempt_id_payment_attempt_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."payment_attempt"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_refund_of" ON "order_refund" USING btree ("order_id","requested_at");--> statement-breakpoint
CREATE UNIQUE INDEX "order_refund_line_once" ON "order_refund_line" USING btree ("refund_id","order_line_id");--> statement-breakpoint
CREATE INDEX "order_refund_line_of" ON "order_refund_line" USING btree ("order_line_id");--> statement-breakpoint
CREATE INDEX "payment_refund_attempt" ON "payment_refund" USING btree ("attempt_id");--> statement-breakpoint
CREATE INDEX "payment_refund_ask" ON "payment_refund" USING btree ("ask_at") WHERE "payment_refund"."ask_at" is not null;--> statement-breakpoint
CREATE INDEX "payment_refund_held" ON "payment_refund" USING btree ("requested_at") WHERE "payment_refund"."state" = 'held';--> statement-breakpoint
CREATE UNIQUE INDEX "payment_refund_provider" ON "payment_refund" USING btree ("attempt_id","provider_refund_id");--> statement-breakpoint
UPDATE "payment_attempt" SET "claimed_minor" = "refunded_minor" WHERE "refunded_minor" > 0;--> statement-breakpoint
ALTER TABLE "payment_attempt" ADD CONSTRAINT "payment_attempt_claim" CHECK ("payment_attempt"."claimed_minor" between "payment_attempt"."refunded_minor" and "payment_attempt"."amount_minor");