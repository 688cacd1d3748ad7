CREATE TABLE "application" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"number" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"action_required" boolean DEFAULT false NOT NULL,
	"language" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"email" text NOT NULL,
	"phone" text NOT NULL,
	"date_of_birth" date NOT NULL,
	"country_code" text NOT NULL,
	"travel_document" text NOT NULL,
	"starts_on" date NOT NULL,
	"service" text NOT NULL,
	"order_number" text NOT NULL,
	"amount_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"paid_at" timestamp (3) with time zone,
	"promised_at" timestamp (3) with time zone,
	"decided_at" timestamp (3) with time zone,
	"rejection_reason" text,
	CONSTRAINT "application_number_unique" UNIQUE("number"),
	CONSTRAINT "application_amount" CHECK ("application"."amount_minor" > 0),
	CONSTRAINT "application_decided" CHECK (("application"."status" in ('approved', 'rejected')) = ("application"."decided_at" is not null)),
	CONSTRAINT "application_reason" CHECK ("application"."status" <> 'rejected' or length("application"."rejection_reason") > 0)
);
--> statement-breakpoint
CREATE TABLE "application_document" (
	"id" uuid PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"file_id" text NOT NULL,
	"media_type" text NOT NULL,
	"size" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"staff_id" uuid,
	"replaced_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "application_event" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"staff_id" uuid
);
--> statement-breakpoint
CREATE TABLE "download_link" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"document_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "country" (
	"code" text PRIMARY KEY NOT NULL,
	"iso2" text,
	"name" text NOT NULL,
	"regime" text NOT NULL,
	"max_stay_days" smallint,
	"entries" text,
	"note" text DEFAULT '' NOT NULL,
	"source" text DEFAULT '' NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "country_code" CHECK ("country"."code" ~ '^[A-Z]{3}$'),
	CONSTRAINT "country_regime" CHECK ("country"."regime" in ('visa_free', 'evisa', 'evisa_with_document', 'no_evisa')),
	CONSTRAINT "country_stay" CHECK ("country"."max_stay_days" > 0 or "country"."regime" = 'no_evisa'),
	CONSTRAINT "country_entries" CHECK (("country"."entries" in ('single', 'multiple')) is true = ("country"."regime" in ('evisa', 'evisa_with_document')))
);
--> statement-breakpoint
CREATE TABLE "notice" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"occasion" text NOT NULL,
	"subject" text NOT NULL,
	"language" text NOT NULL,
	"message_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "notice_occasion_unique" UNIQUE("occasion")
);
--> statement-breakpoint
CREATE TABLE "purchase_order" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" text NOT NULL,
	"amount_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"language" text NOT NULL,
	"customer_name" text NOT NULL,
	"customer_email" text NOT NULL,
	"session_hash" "bytea",
	"created_at" timestamp (3) with time zone NOT NULL,
	"paid_at" timestamp (3) with time zone,
	"paid_by" uuid,
	"failed_starts" smallint DEFAULT 0 NOT NULL,
	"lab" boolean DEFAULT false NOT NULL,
	CONSTRAINT "purchase_order_number_unique" UNIQUE("number"),
	CONSTRAINT "purchase_order_paid_by_unique" UNIQUE("paid_by"),
	CONSTRAINT "order_amount" CHECK ("purchase_order"."amount_minor" > 0),
	CONSTRAINT "order_paid" CHECK (("purchase_order"."paid_at" is null) = ("purchase_order"."paid_by" is null))
);
--> statement-breakpoint
CREATE TABLE "order_line" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"position" smallint NOT NULL,
	"application_number" text NOT NULL,
	"code" text NOT NULL,
	"detail" text,
	"amount_minor" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lab_gateway_transaction" (
	"id" text PRIMARY KEY NOT NULL,
	"order_ref" text NOT NULL,
	"amount" text NOT NULL,
	"currency" text NOT NULL,
	"fields" jsonb NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"capture_id" text,
	"card_last4" text,
	"refunds" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "lab_gateway_transaction_order_ref_unique" UNIQUE("order_ref")
);
--> statement-breakpoint
CREATE TABLE "payment_alert" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"attempt_id" uuid,
	"detail" jsonb NOT NULL,
	"raised_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "payment_attempt" (
	"id" uuid PRIMARY KEY NOT NULL,
	"reference" text NOT NULL,
	"amount_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"provider" text NOT NULL,
	"provider_reference" text,
	"state" text NOT NULL,
	"handover" "bytea",
	"capture_id" text,
	"refunded_minor" integer DEFAULT 0 NOT NULL,
	"reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"ask_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	CONSTRAINT "payment_attempt_refund" CHECK ("payment_attempt"."refunded_minor" between 0 and "payment_attempt"."amount_minor")
);
--> statement-breakpoint
CREATE TABLE "payment_event" (
	"id" uuid PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"event_id" text NOT NULL,
	"attempt_id" uuid,
	"event" text NOT NULL,
	"payload" jsonb NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"result" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_entry" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"staff_id" uuid,
	"action" text NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_id" text NOT NULL,
	"detail" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "staff_account" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text NOT NULL,
	"role" text NOT NULL,
	"totp_secret" "bytea",
	"totp_step" integer,
	"active" boolean DEFAULT true NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "staff_account_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "staff_session" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"account_id" uuid NOT NULL,
	"half" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "staff_session_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "visa_application" (
	"application_id" uuid PRIMARY KEY NOT NULL,
	"passport_number" "bytea" NOT NULL,
	"passport_hash" "bytea" NOT NULL,
	"passport_issue_date" date NOT NULL,
	"passport_expiry_date" date NOT NULL,
	"place_of_birth" text NOT NULL,
	"mother_name" text NOT NULL,
	"father_name" text NOT NULL,
	"address" text NOT NULL,
	"purpose" text,
	"supporting_document_type" text,
	"supporting_document_country" text,
	"supporting_document_number" "bytea",
	"supporting_document_start_date" date,
	"supporting_document_end_date" text,
	"stay_days" integer NOT NULL,
	"entries" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "visa_draft" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"answers" "bytea" NOT NULL,
	"version" integer NOT NULL,
	"language" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"application_number" text,
	CONSTRAINT "visa_draft_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "visa_draft_link" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"draft_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "idempotency_key" (
	"id" "bytea" PRIMARY KEY NOT NULL,
	"request_hash" "bytea" NOT NULL,
	"answer" "bytea",
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limit" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
ALTER TABLE "application_document" ADD CONSTRAINT "application_document_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_event" ADD CONSTRAINT "application_event_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "download_link" ADD CONSTRAINT "download_link_document_id_application_document_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."application_document"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_line" ADD CONSTRAINT "order_line_order_id_purchase_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."purchase_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_session" ADD CONSTRAINT "staff_session_account_id_staff_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visa_application" ADD CONSTRAINT "visa_application_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visa_draft_link" ADD CONSTRAINT "visa_draft_link_draft_id_visa_draft_id_fk" FOREIGN KEY ("draft_id") REFERENCES "public"."visa_draft"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "application_order" ON "application" USING btree ("order_number");--> statement-breakpoint
CREATE INDEX "application_queue" ON "application" USING btree ("kind","status","promised_at");--> statement-breakpoint
CREATE INDEX "application_document_of" ON "application_document" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "application_event_of" ON "application_event" USING btree ("application_id","at");--> statement-breakpoint
CREATE INDEX "notice_sent" ON "notice" USING btree ("sent_at");--> statement-breakpoint
CREATE INDEX "order_session" ON "purchase_order" USING btree ("session_hash");--> statement-breakpoint
CREATE INDEX "order_line_of" ON "order_line" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "order_line_application" ON "order_line" USING btree ("application_number");--> statement-breakpoint
CREATE INDEX "payment_attempt_reference" ON "payment_attempt" USING btree ("reference","created_at");--> statement-breakpoint
CREATE INDEX "payment_attempt_ask" ON "payment_attempt" USING btree ("ask_at") WHERE "payment_attempt"."ask_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempt_provider_reference" ON "payment_attempt" USING btree ("provider","provider_reference");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempt_capture" ON "payment_attempt" USING btree ("provider","capture_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempt_completed" ON "payment_attempt" USING btree ("reference") WHERE "payment_attempt"."state" in ('completed', 'partially_refunded', 'refunded') and "payment_attempt"."completed_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_event_once" ON "payment_event" USING btree ("provider","event_id");--> statement-breakpoint
CREATE INDEX "payment_event_attempt" ON "payment_event" USING btree ("attempt_id");--> statement-breakpoint
CREATE INDEX "audit_entry_subject" ON "audit_entry" USING btree ("subject_kind","subject_id");--> statement-breakpoint
CREATE INDEX "audit_entry_staff" ON "audit_entry" USING btree ("staff_id","at");--> statement-breakpoint
CREATE INDEX "staff_session_account" ON "staff_session" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "visa_application_passport" ON "visa_application" USING btree ("passport_hash");--> statement-breakpoint
CREATE INDEX "visa_draft_expiry" ON "visa_draft" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "idempotency_key_expires_at" ON "idempotency_key" USING btree ("expires_at");