CREATE TABLE "reconciliation" (
	"day" date NOT NULL,
	"provider" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"attempts" integer NOT NULL,
	"unanswered" integer NOT NULL,
	"differing" integer NOT NULL,
	"captured_minor" integer NOT NULL,
	"refunded_minor" integer NOT NULL,
	CONSTRAINT "reconciliation_day_provider_pk" PRIMARY KEY("day","provider")
);
--> statement-breakpoint
CREATE TABLE "reconciliation_row" (
	"day" date NOT NULL,
	"attempt_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"reference" text NOT NULL,
	"state" text NOT NULL,
	"captured_minor" integer NOT NULL,
	"refunded_minor" integer NOT NULL,
	"our_captured_minor" integer,
	"our_refunded_minor" integer NOT NULL,
	"our_refunding_minor" integer NOT NULL,
	"their_captured_minor" integer,
	"their_capture_id" text,
	"their_refunded_minor" integer,
	"differences" jsonb NOT NULL,
	"differs" boolean NOT NULL,
	"settled" boolean NOT NULL,
	CONSTRAINT "reconciliation_row_day_attempt_id_pk" PRIMARY KEY("day","attempt_id")
);
--> statement-breakpoint
ALTER TABLE "payment_alert" ADD COLUMN "once" text;--> statement-breakpoint
ALTER TABLE "payment_alert" ADD COLUMN "resolved_by" uuid;--> statement-breakpoint
ALTER TABLE "payment_alert" ADD COLUMN "resolution" text;--> statement-breakpoint
CREATE INDEX "reconciliation_row_report" ON "reconciliation_row" USING btree ("day","provider","attempt_id");--> statement-breakpoint
CREATE INDEX "payment_attempt_newest" ON "payment_attempt" USING btree ("created_at","id");--> statement-breakpoint
ALTER TABLE "payment_alert" ADD CONSTRAINT "payment_alert_once_unique" UNIQUE("once");