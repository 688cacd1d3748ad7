CREATE TABLE "lab_paypal_capture" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"custom_id" text,
	"value" text NOT NULL,
	"currency" text NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lab_paypal_event" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lab_paypal_order" (
	"id" text PRIMARY KEY NOT NULL,
	"reference_id" text NOT NULL,
	"custom_id" text,
	"description" text,
	"value" text NOT NULL,
	"currency" text NOT NULL,
	"brand" text,
	"return_url" text NOT NULL,
	"cancel_url" text NOT NULL,
	"status" text NOT NULL,
	"outcome" text DEFAULT 'completed' NOT NULL,
	"deliveries" text DEFAULT 'once' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lab_paypal_refund" (
	"id" text PRIMARY KEY NOT NULL,
	"capture_id" text NOT NULL,
	"order_id" text NOT NULL,
	"custom_id" text,
	"value" text NOT NULL,
	"currency" text NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lab_paypal_request" (
	"key" text PRIMARY KEY NOT NULL,
	"status" integer NOT NULL,
	"body" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lab_paypal_trouble" (
	"id" uuid PRIMARY KEY NOT NULL,
	"call" text NOT NULL,
	"kind" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "lab_paypal_capture_order" ON "lab_paypal_capture" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "lab_paypal_event_order" ON "lab_paypal_event" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "lab_paypal_refund_order" ON "lab_paypal_refund" USING btree ("order_id");