CREATE TABLE "payment_partner" (
	"provider" text PRIMARY KEY NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"last_failure_at" timestamp (3) with time zone,
	"down_since" timestamp (3) with time zone,
	CONSTRAINT "payment_partner_failures" CHECK ("payment_partner"."failures" >= 0)
);
