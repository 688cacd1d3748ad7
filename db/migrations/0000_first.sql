-- Trusted since PostgreSQL 13: whoever may create tables may add them.
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS btree_gin;--> statement-breakpoint
CREATE TABLE "application" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"number" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"action_required" boolean DEFAULT false NOT NULL,
	"paused_at" timestamp (3) with time zone,
	"language" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"email" text NOT NULL,
	"email_version" integer DEFAULT 0 NOT NULL,
	"phone" text NOT NULL,
	"date_of_birth" date NOT NULL,
	"country_code" text NOT NULL,
	"travel_document" text NOT NULL,
	"starts_on" date NOT NULL,
	"traveller_position" smallint DEFAULT 1 NOT NULL,
	"service" text NOT NULL,
	"order_number" text NOT NULL,
	"amount_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"paid_at" timestamp (3) with time zone,
	"promised_at" timestamp (3) with time zone,
	"decided_at" timestamp (3) with time zone,
	"undelivered_since" timestamp (3) with time zone,
	"authority_reference" text,
	"rejection_code" text,
	"rejection_reason" text,
	"search_text" text GENERATED ALWAYS AS (translate(replace(translate(
  lower(regexp_replace(normalize(' ' || "application"."first_name" || ' ' || "application"."last_name" || ' ', NFKD), '[\u0300-\u036f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]', '', 'g')), 'ıøłđðæœßħŧəŋĸ', 'iolddaoshtenq'), 'þ', 'th'), '-‐‑‒–—―−/∕⁄・@''’‘‛`´ʹʻʼʽʾʿˈ′.,·‧∙⋅•', '             ') || replace(translate(replace(translate(
  lower(regexp_replace(normalize("application"."first_name", NFKD), '[\u0300-\u036f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]', '', 'g')), 'ıøłđðæœßħŧəŋĸ', 'iolddaoshtenq'), 'þ', 'th'), '-‐‑‒–—―−/∕⁄・@''’‘‛`´ʹʻʼʽʾʿˈ′.,·‧∙⋅•', '             '), ' ', '') || ' ' || replace(translate(replace(translate(
  lower(regexp_replace(normalize("application"."last_name", NFKD), '[\u0300-\u036f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]', '', 'g')), 'ıøłđðæœßħŧəŋĸ', 'iolddaoshtenq'), 'þ', 'th'), '-‐‑‒–—―−/∕⁄・@''’‘‛`´ʹʻʼʽʾʿˈ′.,·‧∙⋅•', '             '), ' ', '') || replace(translate(
  lower(regexp_replace(normalize(' ' || "application"."email", NFKD), '[\u0300-\u036f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]', '', 'g')), 'ıøłđðæœßħŧəŋĸ', 'iolddaoshtenq'), 'þ', 'th')) STORED NOT NULL,
	CONSTRAINT "application_number_unique" UNIQUE("number"),
	CONSTRAINT "application_kind_check" CHECK ("application"."kind" in ('visa', 'insurance')),
	CONSTRAINT "application_status_check" CHECK ("application"."status" in ('pending', 'processing', 'approved', 'rejected')),
	CONSTRAINT "application_rejection_code_check" CHECK ("application"."rejection_code" in ('passport_unreadable', 'details_differ', 'passport_too_short', 'document_not_accepted', 'not_for_nationality', 'purpose_not_covered', 'parent_id_unreadable', 'not_insurable', 'visa_rejected', 'duplicate', 'authorities_refused', 'withdrawn', 'other')),
	CONSTRAINT "application_amount" CHECK ("application"."amount_minor" > 0),
	CONSTRAINT "application_traveller" CHECK ("application"."traveller_position" between 1 and 10),
	CONSTRAINT "application_decided" CHECK (("application"."status" in ('approved', 'rejected')) = ("application"."decided_at" is not null)),
	CONSTRAINT "application_undelivered" CHECK ("application"."undelivered_since" is null or ("application"."kind" = 'visa' and "application"."status" = 'approved')),
	CONSTRAINT "application_handed_in" CHECK ("application"."authority_reference" is null or ("application"."kind" = 'visa' and "application"."status" <> 'pending')),
	CONSTRAINT "application_rejected" CHECK (("application"."status" = 'rejected') = ("application"."rejection_code" is not null)),
	CONSTRAINT "application_reason" CHECK ("application"."rejection_code" <> 'other' or "application"."kind" = 'insurance' or coalesce(length("application"."rejection_reason"), 0) > 0)
);
--> statement-breakpoint
CREATE TABLE "application_correction" (
	"id" uuid PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"fields" text[] NOT NULL,
	"note" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"answer_by" timestamp (3) with time zone NOT NULL,
	"keeps_start" boolean NOT NULL,
	"reminded_at" timestamp (3) with time zone,
	"answered_at" timestamp (3) with time zone,
	"changes" "bytea",
	"closed_at" timestamp (3) with time zone,
	"expired_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone
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
	"replaced_at" timestamp (3) with time zone,
	"content_hash" "bytea",
	"valid_from" date,
	"valid_until" date
);
--> statement-breakpoint
CREATE TABLE "application_earlier_passport" (
	"application_id" uuid NOT NULL,
	"passport_hash" "bytea" NOT NULL,
	CONSTRAINT "application_earlier_passport_application_id_passport_hash_pk" PRIMARY KEY("application_id","passport_hash")
);
--> statement-breakpoint
CREATE TABLE "application_email" (
	"application_id" uuid NOT NULL,
	"email_id" uuid NOT NULL,
	CONSTRAINT "application_email_application_id_email_id_pk" PRIMARY KEY("application_id","email_id")
);
--> statement-breakpoint
CREATE TABLE "application_event" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"staff_id" uuid,
	CONSTRAINT "application_event_kind_check" CHECK ("application_event"."kind" in ('submitted', 'changed', 'paid', 'processing', 'approved', 'rejected', 'document_attached', 'correction_asked', 'correction_answered', 'correction_withdrawn', 'correction_expired'))
);
--> statement-breakpoint
CREATE TABLE "case_message" (
	"id" uuid PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"direction" text NOT NULL,
	"subject" "bytea" NOT NULL,
	"text" "bytea" NOT NULL,
	"sender" "bytea",
	"staff_id" uuid,
	"at" timestamp (3) with time zone NOT NULL,
	"message_id_hash" "bytea",
	"is_automatic" boolean DEFAULT false NOT NULL,
	"left_out" integer DEFAULT 0 NOT NULL,
	"read_at" timestamp (3) with time zone,
	CONSTRAINT "case_message_message_id_hash_unique" UNIQUE("message_id_hash"),
	CONSTRAINT "case_message_direction_check" CHECK ("case_message"."direction" in ('in', 'out')),
	CONSTRAINT "case_message_author" CHECK (case "case_message"."direction" when 'in' then "case_message"."staff_id" is null and num_nonnulls("case_message"."sender", "case_message"."message_id_hash") = 2
        else "case_message"."staff_id" is not null and num_nonnulls("case_message"."sender", "case_message"."message_id_hash") = 0 end)
);
--> statement-breakpoint
CREATE TABLE "case_message_file" (
	"id" uuid PRIMARY KEY NOT NULL,
	"message_id" uuid NOT NULL,
	"application_id" uuid NOT NULL,
	"file_id" text NOT NULL,
	"name" "bytea" NOT NULL,
	"size" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "desk_decision" (
	"id" uuid PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"undo_until" timestamp (3) with time zone NOT NULL,
	"undone_at" timestamp (3) with time zone,
	"before" jsonb NOT NULL,
	CONSTRAINT "desk_decision_kind_check" CHECK ("desk_decision"."kind" in ('start_processing', 'approve', 'reject', 'attach', 'message'))
);
--> statement-breakpoint
CREATE TABLE "desk_for_you" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"application_id" uuid NOT NULL,
	"note_id" uuid,
	"by_staff_id" uuid,
	"at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone,
	CONSTRAINT "desk_for_you_kind_check" CHECK ("desk_for_you"."kind" in ('assigned', 'mentioned', 'found_wrong', 'message'))
);
--> statement-breakpoint
CREATE TABLE "desk_view" (
	"id" uuid PRIMARY KEY NOT NULL,
	"staff_id" uuid NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"shared" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
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
	"others" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"source" text DEFAULT '' NOT NULL,
	"checked_on" date NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "country_regime_check" CHECK ("country"."regime" in ('visa_free', 'evisa', 'evisa_with_document', 'no_evisa')),
	CONSTRAINT "country_entries_check" CHECK ("country"."entries" in ('single', 'multiple')),
	CONSTRAINT "country_code" CHECK ("country"."code" ~ '^[A-Z]{3}$'),
	CONSTRAINT "country_stay" CHECK (coalesce("country"."max_stay_days" > 0, "country"."regime" = 'no_evisa')),
	CONSTRAINT "country_evisa" CHECK (("country"."entries" is not null) = ("country"."regime" in ('evisa', 'evisa_with_document')))
);
--> statement-breakpoint
CREATE TABLE "desk_claim" (
	"application_id" uuid PRIMARY KEY NOT NULL,
	"staff_id" uuid NOT NULL,
	"claimed_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"assigned_by" uuid
);
--> statement-breakpoint
CREATE TABLE "desk_look" (
	"application_id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "desk_look_application_id_staff_id_pk" PRIMARY KEY("application_id","staff_id")
);
--> statement-breakpoint
CREATE TABLE "desk_dismissal" (
	"one_id" uuid NOT NULL,
	"other_id" uuid NOT NULL,
	"facts" "bytea" NOT NULL,
	"why" "bytea" NOT NULL,
	"staff_id" uuid NOT NULL,
	"dismissed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "desk_dismissal_one_id_other_id_facts_pk" PRIMARY KEY("one_id","other_id","facts"),
	CONSTRAINT "desk_dismissal_order" CHECK ("desk_dismissal"."one_id" < "desk_dismissal"."other_id")
);
--> statement-breakpoint
CREATE TABLE "desk_draft" (
	"id" uuid PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"seen" text NOT NULL,
	"file_id" text,
	"rejection_code" text,
	"words" "bytea",
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "desk_draft_kind_check" CHECK ("desk_draft"."kind" in ('approve', 'reject', 'attach', 'message')),
	CONSTRAINT "desk_draft_seen_check" CHECK ("desk_draft"."seen" in ('pending', 'processing', 'approved', 'rejected')),
	CONSTRAINT "desk_draft_rejection_code_check" CHECK ("desk_draft"."rejection_code" in ('passport_unreadable', 'details_differ', 'passport_too_short', 'document_not_accepted', 'not_for_nationality', 'purpose_not_covered', 'parent_id_unreadable', 'not_insurable', 'visa_rejected', 'duplicate', 'authorities_refused', 'withdrawn', 'other'))
);
--> statement-breakpoint
CREATE TABLE "desk_email_correction" (
	"id" uuid PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"content" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "desk_note" (
	"id" uuid PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"text" "bytea" NOT NULL,
	"written_at" timestamp (3) with time zone NOT NULL,
	"edited_at" timestamp (3) with time zone,
	"struck_at" timestamp (3) with time zone,
	"struck_by" uuid,
	"struck_why" "bytea",
	CONSTRAINT "desk_note_struck" CHECK (num_nonnulls("desk_note"."struck_at", "desk_note"."struck_by", "desk_note"."struck_why") in (0, 3))
);
--> statement-breakpoint
CREATE TABLE "desk_put_off" (
	"application_id" uuid PRIMARY KEY NOT NULL,
	"staff_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"reason" text NOT NULL,
	"words" "bytea",
	"until" timestamp (3) with time zone NOT NULL,
	"until_reply" boolean NOT NULL,
	CONSTRAINT "desk_put_off_reason_check" CHECK ("desk_put_off"."reason" in ('later', 'traveller', 'authority', 'other')),
	CONSTRAINT "desk_put_off_words" CHECK (("desk_put_off"."reason" = 'other') = ("desk_put_off"."words" is not null))
);
--> statement-breakpoint
CREATE TABLE "desk_second_look" (
	"event_id" bigint PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"decided_at" timestamp (3) with time zone NOT NULL,
	"differences" text[] NOT NULL,
	"verdict" text,
	"judged_by" uuid,
	"judged_at" timestamp (3) with time zone,
	"note_id" uuid,
	CONSTRAINT "desk_second_look_verdict_check" CHECK ("desk_second_look"."verdict" in ('right', 'wrong')),
	CONSTRAINT "desk_second_look_other" CHECK ("desk_second_look"."judged_by" <> "desk_second_look"."staff_id"),
	CONSTRAINT "desk_second_look_judged" CHECK (num_nonnulls("desk_second_look"."verdict", "desk_second_look"."judged_by", "desk_second_look"."judged_at") in (0, 3)),
	CONSTRAINT "desk_second_look_why" CHECK (("desk_second_look"."verdict" is not distinct from 'wrong') = ("desk_second_look"."note_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "desk_upload" (
	"file_id" text PRIMARY KEY NOT NULL,
	"staff_id" uuid NOT NULL,
	"size" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"draft_for" uuid,
	"application_id" uuid,
	"content_hash" "bytea",
	"text" "bytea",
	"name" "bytea"
);
--> statement-breakpoint
CREATE TABLE "email" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"occasion" text NOT NULL,
	"subject" text NOT NULL,
	"language" text,
	"message_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone,
	"claimed_at" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	"content" "bytea",
	"failed_at" timestamp (3) with time zone,
	"failure" text,
	"resent_from" uuid,
	"staff_id" uuid,
	CONSTRAINT "email_occasion_unique" UNIQUE("occasion"),
	CONSTRAINT "email_failure_check" CHECK ("email"."failure" in ('address', 'refused', 'later', 'unreachable', 'over', 'limit', 'other'))
);
--> statement-breakpoint
CREATE TABLE "insurance_application" (
	"application_id" uuid PRIMARY KEY NOT NULL,
	"passport_number" "bytea" NOT NULL,
	"passport_hash" "bytea" NOT NULL,
	"place_of_birth" text,
	"return_date" date NOT NULL,
	"trip_days" integer NOT NULL,
	"plan_days" integer NOT NULL,
	"cover_until" date NOT NULL,
	"is_minor" boolean NOT NULL,
	"terms_version" integer NOT NULL,
	"verify_hash" "bytea" NOT NULL,
	"cancelled_at" timestamp (3) with time zone,
	CONSTRAINT "insurance_application_verify_hash_unique" UNIQUE("verify_hash")
);
--> statement-breakpoint
CREATE TABLE "insurance_photo" (
	"id" uuid PRIMARY KEY NOT NULL,
	"draft_id" uuid,
	"application_id" uuid,
	"position" smallint NOT NULL,
	"name" "bytea" NOT NULL,
	"file_id" text NOT NULL,
	"content_hash" "bytea" NOT NULL,
	"size" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "insurance_photo_file_id_unique" UNIQUE("file_id"),
	CONSTRAINT "insurance_photo_once" UNIQUE("draft_id","content_hash"),
	CONSTRAINT "insurance_photo_owner" CHECK (num_nonnulls("insurance_photo"."draft_id", "insurance_photo"."application_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "insurance_plan" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"days" integer NOT NULL,
	"price_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "insurance_plan_days_unique" UNIQUE("days"),
	CONSTRAINT "insurance_plan_days" CHECK ("insurance_plan"."days" between 1 and 366),
	CONSTRAINT "insurance_plan_price" CHECK ("insurance_plan"."price_minor" > 0)
);
--> statement-breakpoint
CREATE TABLE "insurance_terms" (
	"version" serial PRIMARY KEY NOT NULL,
	"is_sample" boolean NOT NULL,
	"change_id" integer NOT NULL,
	"insurer" text,
	"address" text,
	"licence" text,
	"assistance_phone" text,
	"complaint_contact" text,
	"wording" jsonb,
	"covers" jsonb NOT NULL,
	"published_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "insurance_terms_change_id_unique" UNIQUE("change_id")
);
--> statement-breakpoint
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
	CONSTRAINT "order_receipt_kind_check" CHECK ("order_receipt"."kind" in ('receipt', 'credit_note')),
	CONSTRAINT "order_receipt_refund" CHECK (("order_receipt"."kind" = 'credit_note') = ("order_receipt"."refund_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "receipt_counter" (
	"kind" text NOT NULL,
	"year" smallint NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "receipt_counter_kind_year_pk" PRIMARY KEY("kind","year"),
	CONSTRAINT "receipt_counter_kind_check" CHECK ("receipt_counter"."kind" in ('receipt', 'credit_note'))
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
	"email_version" integer DEFAULT 0 NOT NULL,
	"session_hash" "bytea",
	"created_at" timestamp (3) with time zone NOT NULL,
	"paid_at" timestamp (3) with time zone,
	"paid_by" uuid,
	"failed_starts" smallint DEFAULT 0 NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"reminded_at" timestamp (3) with time zone,
	"lab" boolean DEFAULT false NOT NULL,
	"refund_policy" jsonb NOT NULL,
	CONSTRAINT "purchase_order_number_unique" UNIQUE("number"),
	CONSTRAINT "purchase_order_paid_by_unique" UNIQUE("paid_by"),
	CONSTRAINT "order_amount" CHECK ("purchase_order"."amount_minor" > 0),
	CONSTRAINT "order_paid" CHECK (("purchase_order"."paid_at" is null) = ("purchase_order"."paid_by" is null))
);
--> statement-breakpoint
CREATE TABLE "order_cancellation" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"application_numbers" text[] NOT NULL,
	"cancelled_at" timestamp (3) with time zone NOT NULL
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
CREATE TABLE "order_payer_device" (
	"order_id" uuid NOT NULL,
	"session_hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "order_payer_device_order_id_session_hash_pk" PRIMARY KEY("order_id","session_hash")
);
--> statement-breakpoint
CREATE TABLE "order_refund" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"application_numbers" text[] NOT NULL,
	"cause" text NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"note" text,
	"requested_by" uuid,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone,
	CONSTRAINT "order_refund_cause_check" CHECK ("order_refund"."cause" in ('cancelled', 'missed_promise', 'our_error', 'duplicate_payment', 'overcharged', 'not_submitted', 'not_available', 'insurance_rejected', 'visa_refused', 'illness', 'disaster', 'rejected_by_us'))
);
--> statement-breakpoint
CREATE TABLE "order_refund_line" (
	"id" uuid PRIMARY KEY NOT NULL,
	"refund_id" uuid NOT NULL,
	"order_line_id" uuid NOT NULL,
	"amount_minor" integer NOT NULL,
	"proposed_minor" integer NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "order_refund_line_reason_check" CHECK ("order_refund_line"."reason" in ('everything_back', 'processing_back', 'premium_back', 'promise_missed', 'within_first_hours', 'still_pending', 'before_cover', 'adjusted', 'fee_kept', 'too_late', 'asked_too_late', 'not_covered', 'not_missed')),
	CONSTRAINT "order_refund_line_amount" CHECK ("order_refund_line"."amount_minor" > 0 and "order_refund_line"."proposed_minor" >= 0)
);
--> statement-breakpoint
CREATE TABLE "payment_notification" (
	"provider" text NOT NULL,
	"endpoint" text NOT NULL,
	"heard_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_notification_provider_endpoint_pk" PRIMARY KEY("provider","endpoint")
);
--> statement-breakpoint
CREATE TABLE "payment_partner" (
	"provider" text PRIMARY KEY NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"last_failure_at" timestamp (3) with time zone,
	"down_since" timestamp (3) with time zone,
	CONSTRAINT "payment_partner_failures" CHECK ("payment_partner"."failures" >= 0)
);
--> statement-breakpoint
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
	"fees_minor" integer,
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
CREATE TABLE "payment_alert" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"attempt_id" uuid,
	"detail" jsonb NOT NULL,
	"raised_at" timestamp (3) with time zone NOT NULL,
	"once" text,
	"resolved_at" timestamp (3) with time zone,
	"resolved_by" uuid,
	"resolution" text,
	CONSTRAINT "payment_alert_once_unique" UNIQUE("once"),
	CONSTRAINT "payment_alert_kind_check" CHECK ("payment_alert"."kind" in ('wrong_amount', 'capture_reused', 'unknown_reference', 'paid_twice', 'superseded_paid', 'closed_order_paid', 'refund_failed', 'pending_long', 'partner_down', 'unknown_refund', 'disputed', 'books_missing_there', 'books_missing_here', 'books_amount', 'books_capture_id', 'books_refund_amount', 'books_no_answer'))
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
	"begun_by" text NOT NULL,
	"session_hash" "bytea",
	"checkout_redirect" "bytea",
	"capture_id" text,
	"refunded_minor" integer DEFAULT 0 NOT NULL,
	"claimed_minor" integer DEFAULT 0 NOT NULL,
	"reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"ask_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"superseded_at" timestamp (3) with time zone,
	"came_back_at" timestamp (3) with time zone,
	CONSTRAINT "payment_attempt_state_check" CHECK ("payment_attempt"."state" in ('created', 'redirected', 'pending', 'authorised', 'completed', 'failed', 'cancelled', 'expired', 'captured_late', 'partially_refunded', 'refunded')),
	CONSTRAINT "payment_attempt_begun_by_check" CHECK ("payment_attempt"."begun_by" in ('payer', 'guest')),
	CONSTRAINT "payment_attempt_refund" CHECK ("payment_attempt"."refunded_minor" between 0 and "payment_attempt"."amount_minor"),
	CONSTRAINT "payment_attempt_claim" CHECK ("payment_attempt"."claimed_minor" between "payment_attempt"."refunded_minor" and "payment_attempt"."amount_minor")
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
	CONSTRAINT "payment_refund_state_check" CHECK ("payment_refund"."state" in ('held', 'requested', 'sent', 'pending', 'completed', 'failed', 'withdrawn')),
	CONSTRAINT "payment_refund_amount" CHECK ("payment_refund"."amount_minor" > 0),
	CONSTRAINT "payment_refund_decided" CHECK (("payment_refund"."state" in ('completed', 'failed', 'withdrawn')) = ("payment_refund"."decided_at" is not null)),
	CONSTRAINT "payment_refund_asked" CHECK (("payment_refund"."state" in ('requested', 'sent', 'pending')) = ("payment_refund"."ask_at" is not null)),
	CONSTRAINT "payment_refund_released" CHECK ("payment_refund"."state" = 'withdrawn' or "payment_refund"."released_by" <> "payment_refund"."requested_by")
);
--> statement-breakpoint
CREATE TABLE "setting_change" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "setting_change_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"section" text NOT NULL,
	"values" jsonb NOT NULL,
	"valid_from" timestamp (3) with time zone NOT NULL,
	"reason" text NOT NULL,
	"staff_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"withdraws" integer,
	"confirmed_by" uuid,
	"alone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "setting_change_withdraws_unique" UNIQUE("withdraws"),
	CONSTRAINT "setting_change_section_check" CHECK ("setting_change"."section" in ('visa_prices', 'plan_prices', 'insurance_terms', 'countries', 'operator', 'certifications', 'retention', 'closed_days', 'authority', 'templates')),
	CONSTRAINT "setting_change_values" CHECK (jsonb_typeof("setting_change"."values") = 'object'),
	CONSTRAINT "setting_change_not_backdated" CHECK ("setting_change"."valid_from" >= "setting_change"."created_at" or "setting_change"."staff_id" is null),
	CONSTRAINT "setting_change_second" CHECK ("setting_change"."confirmed_by" <> "setting_change"."staff_id"),
	CONSTRAINT "setting_change_two_people" CHECK ("setting_change"."section" not in ('visa_prices', 'plan_prices')
        or "setting_change"."confirmed_by" is not null or "setting_change"."alone" or "setting_change"."staff_id" is null or "setting_change"."withdraws" is not null)
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
CREATE TABLE "audit_seal" (
	"day" date PRIMARY KEY NOT NULL,
	"entries" integer NOT NULL,
	"rows" text NOT NULL,
	"fingerprints" "bytea" NOT NULL,
	"seal" text NOT NULL,
	"sealed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_movement" (
	"provider" text NOT NULL,
	"id" text NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"capture_id" text,
	"refund_id" text,
	"amount_minor" bigint,
	"fee_minor" integer,
	"read_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_movement_provider_id_pk" PRIMARY KEY("provider","id"),
	CONSTRAINT "payment_movement_kind_check" CHECK ("payment_movement"."kind" in ('capture', 'refund', 'dispute', 'payout', 'fee'))
);
--> statement-breakpoint
CREATE TABLE "setting_proposal" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "setting_proposal_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"section" text NOT NULL,
	"values" jsonb NOT NULL,
	"valid_from" timestamp (3) with time zone,
	"reason" text NOT NULL,
	"seen" text NOT NULL,
	"proposed_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"why" text,
	"change_id" integer,
	CONSTRAINT "setting_proposal_change_id_unique" UNIQUE("change_id"),
	CONSTRAINT "setting_proposal_section_check" CHECK ("setting_proposal"."section" in ('visa_prices', 'plan_prices', 'insurance_terms', 'countries', 'operator', 'certifications', 'retention', 'closed_days', 'authority', 'templates')),
	CONSTRAINT "setting_proposal_state_check" CHECK ("setting_proposal"."state" in ('waiting', 'confirmed', 'declined', 'withdrawn')),
	CONSTRAINT "setting_proposal_values" CHECK (jsonb_typeof("setting_proposal"."values") = 'object'),
	CONSTRAINT "setting_proposal_decided" CHECK (num_nonnulls("setting_proposal"."decided_by", "setting_proposal"."decided_at") = case "setting_proposal"."state" when 'waiting' then 0 else 2 end),
	CONSTRAINT "setting_proposal_second" CHECK (case "setting_proposal"."state" when 'waiting' then true when 'withdrawn' then "setting_proposal"."decided_by" = "setting_proposal"."proposed_by"
        else "setting_proposal"."decided_by" <> "setting_proposal"."proposed_by" end),
	CONSTRAINT "setting_proposal_why" CHECK (("setting_proposal"."state" = 'declined') = (coalesce(length("setting_proposal"."why"), 0) > 0)),
	CONSTRAINT "setting_proposal_change" CHECK (("setting_proposal"."state" = 'confirmed') = ("setting_proposal"."change_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "staff_account_change" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"changed_by" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"content" "bytea" NOT NULL
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
	"created_at" timestamp (3) with time zone NOT NULL,
	"start_view" uuid,
	"role_since" timestamp (3) with time zone,
	"named" boolean DEFAULT true NOT NULL,
	"undo_seconds" integer DEFAULT 10 NOT NULL,
	CONSTRAINT "staff_account_email_unique" UNIQUE("email"),
	CONSTRAINT "staff_account_role_check" CHECK ("staff_account"."role" in ('reviewer', 'manager', 'administrator')),
	CONSTRAINT "staff_account_undo_seconds" CHECK ("staff_account"."undo_seconds" in (10, 30, 60, 600))
);
--> statement-breakpoint
CREATE TABLE "staff_invitation" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"invited_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "staff_invitation_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "staff_invitation_role_check" CHECK ("staff_invitation"."role" in ('reviewer', 'manager', 'administrator'))
);
--> statement-breakpoint
CREATE TABLE "staff_passkey" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "staff_recovery_code" (
	"code_hash" "bytea" PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "staff_reset" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"account_id" uuid NOT NULL,
	"asked_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "staff_reset_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "staff_reset_asked_by_check" CHECK ("staff_reset"."asked_by" in ('email', 'administrator', 'command'))
);
--> statement-breakpoint
CREATE TABLE "staff_session" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"account_id" uuid NOT NULL,
	"half" boolean NOT NULL,
	"method" text NOT NULL,
	"proved_factor" boolean DEFAULT false NOT NULL,
	"proved_at" timestamp (3) with time zone,
	"device" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "staff_session_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "staff_session_method_check" CHECK ("staff_session"."method" in ('password', 'provider', 'passkey'))
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
	"machine_readable_zone" "bytea",
	"stay_days" integer NOT NULL,
	"entries" text NOT NULL,
	CONSTRAINT "visa_application_purpose_check" CHECK ("visa_application"."purpose" in ('tourism', 'trade')),
	CONSTRAINT "visa_application_supporting_document_type_check" CHECK ("visa_application"."supporting_document_type" in ('visa', 'residence')),
	CONSTRAINT "visa_application_entries_check" CHECK ("visa_application"."entries" in ('single', 'multiple'))
);
--> statement-breakpoint
CREATE TABLE "draft" (
	"id" uuid PRIMARY KEY NOT NULL,
	"form" text NOT NULL,
	"answers" "bytea" NOT NULL,
	"version" integer NOT NULL,
	"language" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"application_number" text,
	"changing" text,
	"party_id" uuid,
	"position" integer,
	CONSTRAINT "draft_party_position" UNIQUE("party_id","position"),
	CONSTRAINT "draft_form_check" CHECK ("draft"."form" in ('visa', 'insurance')),
	CONSTRAINT "draft_place" CHECK (("draft"."party_id" is null) = ("draft"."position" is null))
);
--> statement-breakpoint
CREATE TABLE "draft_device" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"draft_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "draft_link" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"draft_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "draft_party" (
	"id" uuid PRIMARY KEY NOT NULL,
	"next_position" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "backup" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backup_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"begun_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone NOT NULL,
	"rows" bigint NOT NULL,
	"files" integer NOT NULL,
	"bytes" bigint NOT NULL,
	"missing_files" integer NOT NULL
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
CREATE TABLE "legal_hold" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_number" text NOT NULL,
	"application_id" uuid,
	"why" "bytea" NOT NULL,
	"placed_by" uuid NOT NULL,
	"placed_at" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"lifted_by" uuid,
	"lifted_at" timestamp (3) with time zone,
	CONSTRAINT "legal_hold_until" CHECK ("legal_hold"."until" > "legal_hold"."placed_at"),
	CONSTRAINT "legal_hold_lifted" CHECK (num_nonnulls("legal_hold"."lifted_by", "legal_hold"."lifted_at") in (0, 2))
);
--> statement-breakpoint
CREATE TABLE "deletion_record" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"cause" text NOT NULL,
	"case_id" uuid,
	"deleted" jsonb NOT NULL,
	"changed" jsonb NOT NULL,
	"files" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "erased_application" (
	"number_hash" "bytea" PRIMARY KEY NOT NULL,
	"erased_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "privacy_case" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"arrived_on" date NOT NULL,
	"language" text NOT NULL,
	"given" "bytea" NOT NULL,
	"opened_by" uuid NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"identity_check" text,
	"identity_by" uuid,
	"identity_at" timestamp (3) with time zone,
	"chosen" "bytea",
	"erased_by" uuid,
	"erased_at" timestamp (3) with time zone,
	"outcome" text,
	"answer" "bytea",
	"closed_by" uuid,
	"closed_at" timestamp (3) with time zone,
	CONSTRAINT "privacy_case_kind_check" CHECK ("privacy_case"."kind" in ('access', 'correction', 'erasure')),
	CONSTRAINT "privacy_case_identity_check_check" CHECK ("privacy_case"."identity_check" in ('email_reply', 'birth_date', 'passport_copy', 'in_person')),
	CONSTRAINT "privacy_case_outcome_check" CHECK ("privacy_case"."outcome" in ('granted', 'partly', 'refused', 'withdrawn')),
	CONSTRAINT "privacy_case_identity" CHECK (num_nonnulls("privacy_case"."identity_check", "privacy_case"."identity_by", "privacy_case"."identity_at", "privacy_case"."chosen") in (0, 4)),
	CONSTRAINT "privacy_case_erased" CHECK (num_nonnulls("privacy_case"."erased_by", "privacy_case"."erased_at") in (0, 2) and ("privacy_case"."erased_at" is null or ("privacy_case"."kind" = 'erasure' and "privacy_case"."identity_at" is not null))),
	CONSTRAINT "privacy_case_closed" CHECK (num_nonnulls("privacy_case"."outcome", "privacy_case"."answer", "privacy_case"."closed_by", "privacy_case"."closed_at") in (0, 4))
);
--> statement-breakpoint
ALTER TABLE "application" ADD CONSTRAINT "application_order_number_purchase_order_number_fk" FOREIGN KEY ("order_number") REFERENCES "public"."purchase_order"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_correction" ADD CONSTRAINT "application_correction_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_correction" ADD CONSTRAINT "application_correction_staff_id_staff_account_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_document" ADD CONSTRAINT "application_document_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_document" ADD CONSTRAINT "application_document_staff_id_staff_account_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_earlier_passport" ADD CONSTRAINT "application_earlier_passport_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_email" ADD CONSTRAINT "application_email_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_email" ADD CONSTRAINT "application_email_email_id_email_id_fk" FOREIGN KEY ("email_id") REFERENCES "public"."email"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_event" ADD CONSTRAINT "application_event_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_event" ADD CONSTRAINT "application_event_staff_id_staff_account_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "download_link" ADD CONSTRAINT "download_link_document_id_application_document_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."application_document"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_look" ADD CONSTRAINT "desk_look_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_look" ADD CONSTRAINT "desk_look_staff_id_staff_account_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_claim" ADD CONSTRAINT "desk_claim_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_claim" ADD CONSTRAINT "desk_claim_staff_id_staff_account_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_decision" ADD CONSTRAINT "desk_decision_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_decision" ADD CONSTRAINT "desk_decision_staff_id_staff_account_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_dismissal" ADD CONSTRAINT "desk_dismissal_one_id_application_id_fk" FOREIGN KEY ("one_id") REFERENCES "public"."application"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_dismissal" ADD CONSTRAINT "desk_dismissal_other_id_application_id_fk" FOREIGN KEY ("other_id") REFERENCES "public"."application"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_dismissal" ADD CONSTRAINT "desk_dismissal_staff_id_staff_account_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_draft" ADD CONSTRAINT "desk_draft_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_draft" ADD CONSTRAINT "desk_draft_staff_id_staff_account_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_email_correction" ADD CONSTRAINT "desk_email_correction_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_email_correction" ADD CONSTRAINT "desk_email_correction_staff_id_staff_account_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_note" ADD CONSTRAINT "desk_note_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_note" ADD CONSTRAINT "desk_note_staff_id_staff_account_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_note" ADD CONSTRAINT "desk_note_struck_by_staff_account_id_fk" FOREIGN KEY ("struck_by") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_message" ADD CONSTRAINT "case_message_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_message" ADD CONSTRAINT "case_message_staff_id_staff_account_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_message_file" ADD CONSTRAINT "case_message_file_message_id_case_message_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."case_message"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_message_file" ADD CONSTRAINT "case_message_file_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_put_off" ADD CONSTRAINT "desk_put_off_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_put_off" ADD CONSTRAINT "desk_put_off_staff_id_staff_account_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_second_look" ADD CONSTRAINT "desk_second_look_event_id_application_event_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."application_event"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_second_look" ADD CONSTRAINT "desk_second_look_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_second_look" ADD CONSTRAINT "desk_second_look_staff_id_staff_account_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_second_look" ADD CONSTRAINT "desk_second_look_judged_by_staff_account_id_fk" FOREIGN KEY ("judged_by") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_second_look" ADD CONSTRAINT "desk_second_look_note_id_desk_note_id_fk" FOREIGN KEY ("note_id") REFERENCES "public"."desk_note"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_upload" ADD CONSTRAINT "desk_upload_staff_id_staff_account_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_upload" ADD CONSTRAINT "desk_upload_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email" ADD CONSTRAINT "email_resent_from_email_id_fk" FOREIGN KEY ("resent_from") REFERENCES "public"."email"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email" ADD CONSTRAINT "email_staff_id_staff_account_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insurance_application" ADD CONSTRAINT "insurance_application_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insurance_application" ADD CONSTRAINT "insurance_application_terms_version_insurance_terms_version_fk" FOREIGN KEY ("terms_version") REFERENCES "public"."insurance_terms"("version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insurance_photo" ADD CONSTRAINT "insurance_photo_draft_id_draft_id_fk" FOREIGN KEY ("draft_id") REFERENCES "public"."draft"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insurance_photo" ADD CONSTRAINT "insurance_photo_application_fk" FOREIGN KEY ("application_id") REFERENCES "public"."insurance_application"("application_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insurance_terms" ADD CONSTRAINT "insurance_terms_change_id_setting_change_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."setting_change"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_receipt" ADD CONSTRAINT "order_receipt_order_id_purchase_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."purchase_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_receipt" ADD CONSTRAINT "order_receipt_refund_id_order_refund_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."order_refund"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase_order" ADD CONSTRAINT "purchase_order_paid_by_payment_attempt_id_fk" FOREIGN KEY ("paid_by") REFERENCES "public"."payment_attempt"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_cancellation" ADD CONSTRAINT "order_cancellation_order_id_purchase_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."purchase_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_line" ADD CONSTRAINT "order_line_order_id_purchase_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."purchase_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_payer_device" ADD CONSTRAINT "order_payer_device_order_id_purchase_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."purchase_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_refund" ADD CONSTRAINT "order_refund_id_payment_refund_id_fk" FOREIGN KEY ("id") REFERENCES "public"."payment_refund"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_refund" ADD CONSTRAINT "order_refund_order_id_purchase_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."purchase_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_refund" ADD CONSTRAINT "order_refund_requested_by_staff_account_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_refund_line" ADD CONSTRAINT "order_refund_line_refund_id_order_refund_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."order_refund"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_refund_line" ADD CONSTRAINT "order_refund_line_order_line_id_order_line_id_fk" FOREIGN KEY ("order_line_id") REFERENCES "public"."order_line"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reconciliation_row" ADD CONSTRAINT "reconciliation_row_attempt_id_payment_attempt_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."payment_attempt"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reconciliation_row" ADD CONSTRAINT "reconciliation_row_day_provider_reconciliation_day_provider_fk" FOREIGN KEY ("day","provider") REFERENCES "public"."reconciliation"("day","provider") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_alert" ADD CONSTRAINT "payment_alert_attempt_id_payment_attempt_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."payment_attempt"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_alert" ADD CONSTRAINT "payment_alert_resolved_by_staff_account_id_fk" FOREIGN KEY ("resolved_by") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_event" ADD CONSTRAINT "payment_event_attempt_id_payment_attempt_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."payment_attempt"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_refund" ADD CONSTRAINT "payment_refund_attempt_id_payment_attempt_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."payment_attempt"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "setting_change" ADD CONSTRAINT "setting_change_staff_id_staff_account_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "setting_change" ADD CONSTRAINT "setting_change_withdraws_setting_change_id_fk" FOREIGN KEY ("withdraws") REFERENCES "public"."setting_change"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "setting_change" ADD CONSTRAINT "setting_change_confirmed_by_staff_account_id_fk" FOREIGN KEY ("confirmed_by") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "setting_proposal" ADD CONSTRAINT "setting_proposal_change_id_setting_change_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."setting_change"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "setting_proposal" ADD CONSTRAINT "setting_proposal_decided_by_staff_account_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "setting_proposal" ADD CONSTRAINT "setting_proposal_proposed_by_staff_account_id_fk" FOREIGN KEY ("proposed_by") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_account_change" ADD CONSTRAINT "staff_account_change_account_id_staff_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_account_change" ADD CONSTRAINT "staff_account_change_changed_by_staff_account_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_invitation" ADD CONSTRAINT "staff_invitation_invited_by_staff_account_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_passkey" ADD CONSTRAINT "staff_passkey_account_id_staff_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_recovery_code" ADD CONSTRAINT "staff_recovery_code_account_id_staff_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_reset" ADD CONSTRAINT "staff_reset_account_id_staff_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_session" ADD CONSTRAINT "staff_session_account_id_staff_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visa_application" ADD CONSTRAINT "visa_application_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draft" ADD CONSTRAINT "draft_party_id_draft_party_id_fk" FOREIGN KEY ("party_id") REFERENCES "public"."draft_party"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draft_device" ADD CONSTRAINT "draft_device_draft_id_draft_id_fk" FOREIGN KEY ("draft_id") REFERENCES "public"."draft"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draft_link" ADD CONSTRAINT "draft_link_draft_id_draft_id_fk" FOREIGN KEY ("draft_id") REFERENCES "public"."draft"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "legal_hold" ADD CONSTRAINT "legal_hold_order_number_purchase_order_number_fk" FOREIGN KEY ("order_number") REFERENCES "public"."purchase_order"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "legal_hold" ADD CONSTRAINT "legal_hold_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "legal_hold" ADD CONSTRAINT "legal_hold_placed_by_staff_account_id_fk" FOREIGN KEY ("placed_by") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "legal_hold" ADD CONSTRAINT "legal_hold_lifted_by_staff_account_id_fk" FOREIGN KEY ("lifted_by") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deletion_record" ADD CONSTRAINT "deletion_record_case_id_privacy_case_id_fk" FOREIGN KEY ("case_id") REFERENCES "public"."privacy_case"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "privacy_case" ADD CONSTRAINT "privacy_case_opened_by_staff_account_id_fk" FOREIGN KEY ("opened_by") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "privacy_case" ADD CONSTRAINT "privacy_case_identity_by_staff_account_id_fk" FOREIGN KEY ("identity_by") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "privacy_case" ADD CONSTRAINT "privacy_case_erased_by_staff_account_id_fk" FOREIGN KEY ("erased_by") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "privacy_case" ADD CONSTRAINT "privacy_case_closed_by_staff_account_id_fk" FOREIGN KEY ("closed_by") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_for_you" ADD CONSTRAINT "desk_for_you_staff_id_staff_account_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_for_you" ADD CONSTRAINT "desk_for_you_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_for_you" ADD CONSTRAINT "desk_for_you_note_id_desk_note_id_fk" FOREIGN KEY ("note_id") REFERENCES "public"."desk_note"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_for_you" ADD CONSTRAINT "desk_for_you_by_staff_id_staff_account_id_fk" FOREIGN KEY ("by_staff_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_view" ADD CONSTRAINT "desk_view_staff_id_staff_account_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_claim" ADD CONSTRAINT "desk_claim_assigned_by_staff_account_id_fk" FOREIGN KEY ("assigned_by") REFERENCES "public"."staff_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "application_order" ON "application" USING btree ("order_number");--> statement-breakpoint
CREATE INDEX "application_email_start" ON "application" USING btree (lower("email"),"starts_on");--> statement-breakpoint
CREATE INDEX "application_queue" ON "application" USING btree ("kind",(case when "decided_at" is not null then case when "paid_at" is null then 5 when "undelivered_since" is null then 4 else 1 end
    when "paid_at" is null then 3 when "paused_at" is not null then 2 else 0 end),(case when "undelivered_since" is null and ("decided_at" is not null or "paid_at" is null) then -(extract(epoch from ("created_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint
    when "paused_at" is not null then (extract(epoch from ("paused_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint
    else coalesce((extract(epoch from ("promised_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint, 9007199254740991) end),"id");--> statement-breakpoint
CREATE INDEX "application_country" ON "application" USING btree ("kind","country_code",(case when "decided_at" is not null then case when "paid_at" is null then 5 when "undelivered_since" is null then 4 else 1 end
    when "paid_at" is null then 3 when "paused_at" is not null then 2 else 0 end),(case when "undelivered_since" is null and ("decided_at" is not null or "paid_at" is null) then -(extract(epoch from ("created_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint
    when "paused_at" is not null then (extract(epoch from ("paused_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint
    else coalesce((extract(epoch from ("promised_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint, 9007199254740991) end),"id");--> statement-breakpoint
CREATE INDEX "application_service" ON "application" USING btree ("kind","service",(case when "decided_at" is not null then case when "paid_at" is null then 5 when "undelivered_since" is null then 4 else 1 end
    when "paid_at" is null then 3 when "paused_at" is not null then 2 else 0 end),(case when "undelivered_since" is null and ("decided_at" is not null or "paid_at" is null) then -(extract(epoch from ("created_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint
    when "paused_at" is not null then (extract(epoch from ("paused_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint
    else coalesce((extract(epoch from ("promised_at" - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint, 9007199254740991) end),"id");--> statement-breakpoint
CREATE INDEX "application_pending" ON "application" USING btree ("created_at") WHERE "application"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "application_newest" ON "application" USING btree ("kind","created_at","id");--> statement-breakpoint
CREATE INDEX "application_submitted" ON "application" USING btree ("created_at","id","kind","country_code");--> statement-breakpoint
CREATE INDEX "application_visa_decided" ON "application" USING btree ("decided_at","status","paid_at","promised_at","country_code","rejection_code") WHERE "application"."kind" = 'visa' and "application"."paid_at" is not null and "application"."decided_at" is not null;--> statement-breakpoint
CREATE INDEX "application_name" ON "application" USING btree ("kind","last_name","first_name","id");--> statement-breakpoint
CREATE INDEX "application_search" ON "application" USING gin ("country_code","service","search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "application_search_other" ON "application" USING gin (encode(decode(replace("search_text", '\', ''), 'escape'), 'hex') gin_trgm_ops) WHERE "application"."search_text" ~ '[^ -~]';--> statement-breakpoint
CREATE INDEX "application_phone" ON "application" USING btree (right(regexp_replace("phone", '[^0-9]', '', 'g'), 7));--> statement-breakpoint
CREATE INDEX "application_reference" ON "application" USING btree (upper(regexp_replace("authority_reference", '[^0-9A-Za-z]', '', 'g'))) WHERE "application"."authority_reference" is not null;--> statement-breakpoint
CREATE INDEX "application_number_part" ON "application" USING gin ("number" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "application_visa_paid" ON "application" USING btree ("paid_at","country_code") WHERE "application"."kind" = 'visa' and "application"."paid_at" is not null;--> statement-breakpoint
CREATE INDEX "application_promised" ON "application" USING btree ("promised_at","id","decided_at","paused_at","undelivered_since","rejection_code") WHERE "application"."paid_at" is not null and "application"."promised_at" is not null;--> statement-breakpoint
CREATE INDEX "application_correction_of" ON "application_correction" USING btree ("application_id","asked_at");--> statement-breakpoint
CREATE UNIQUE INDEX "application_correction_open" ON "application_correction" USING btree ("application_id") WHERE "application_correction"."answered_at" is null and "application_correction"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "application_document_of" ON "application_document" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "application_document_content" ON "application_document" USING btree ("content_hash");--> statement-breakpoint
CREATE INDEX "application_earlier_passport_hash" ON "application_earlier_passport" USING btree ("passport_hash");--> statement-breakpoint
CREATE INDEX "application_email_email" ON "application_email" USING btree ("email_id");--> statement-breakpoint
CREATE INDEX "application_event_of" ON "application_event" USING btree ("application_id","at");--> statement-breakpoint
CREATE INDEX "application_event_staff" ON "application_event" USING btree ("at","kind","staff_id","application_id") WHERE "application_event"."staff_id" is not null;--> statement-breakpoint
CREATE INDEX "desk_look_staff" ON "desk_look" USING btree ("staff_id");--> statement-breakpoint
CREATE INDEX "desk_claim_staff" ON "desk_claim" USING btree ("staff_id");--> statement-breakpoint
CREATE INDEX "desk_dismissal_other" ON "desk_dismissal" USING btree ("other_id");--> statement-breakpoint
CREATE INDEX "desk_draft_age" ON "desk_draft" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "desk_email_correction_of" ON "desk_email_correction" USING btree ("application_id","at");--> statement-breakpoint
CREATE INDEX "desk_note_of" ON "desk_note" USING btree ("application_id","written_at");--> statement-breakpoint
CREATE INDEX "case_message_of" ON "case_message" USING btree ("application_id","at");--> statement-breakpoint
CREATE INDEX "case_message_unread" ON "case_message" USING btree ("application_id") WHERE "case_message"."direction" = 'in' and "case_message"."read_at" is null;--> statement-breakpoint
CREATE INDEX "case_message_file_message" ON "case_message_file" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "case_message_file_of" ON "case_message_file" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "desk_put_off_until" ON "desk_put_off" USING btree ("until");--> statement-breakpoint
CREATE INDEX "desk_second_look_decided" ON "desk_second_look" USING btree ("decided_at");--> statement-breakpoint
CREATE INDEX "desk_second_look_open" ON "desk_second_look" USING btree ("staff_id") WHERE "desk_second_look"."verdict" is null;--> statement-breakpoint
CREATE INDEX "desk_second_look_of" ON "desk_second_look" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "desk_upload_unused" ON "desk_upload" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "desk_upload_draft" ON "desk_upload" USING btree ("draft_for") WHERE "desk_upload"."application_id" is null;--> statement-breakpoint
CREATE INDEX "desk_upload_of" ON "desk_upload" USING btree ("application_id") WHERE "desk_upload"."application_id" is not null;--> statement-breakpoint
CREATE INDEX "email_age" ON "email" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "email_resent" ON "email" USING btree ("resent_from");--> statement-breakpoint
CREATE INDEX "insurance_application_passport" ON "insurance_application" USING btree ("passport_hash");--> statement-breakpoint
CREATE INDEX "insurance_photo_application" ON "insurance_photo" USING btree ("application_id");--> statement-breakpoint
CREATE UNIQUE INDEX "order_receipt_once" ON "order_receipt" USING btree ("order_id") WHERE "order_receipt"."kind" = 'receipt';--> statement-breakpoint
CREATE INDEX "order_receipt_of" ON "order_receipt" USING btree ("order_id","issued_at");--> statement-breakpoint
CREATE INDEX "order_session" ON "purchase_order" USING btree ("session_hash");--> statement-breakpoint
CREATE INDEX "order_payer_email" ON "purchase_order" USING btree (lower("customer_email"));--> statement-breakpoint
CREATE INDEX "order_paid_at" ON "purchase_order" USING btree ("paid_at","amount_minor","paid_by") WHERE "purchase_order"."paid_at" is not null and not "purchase_order"."lab";--> statement-breakpoint
CREATE INDEX "order_unpaid" ON "purchase_order" USING btree ("created_at") WHERE "purchase_order"."paid_at" is null and "purchase_order"."closed_at" is null and "purchase_order"."reminded_at" is null and not "purchase_order"."lab";--> statement-breakpoint
CREATE INDEX "order_cancellation_of" ON "order_cancellation" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "order_line_of" ON "order_line" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "order_line_application" ON "order_line" USING btree ("application_number");--> statement-breakpoint
CREATE INDEX "order_payer_device_created" ON "order_payer_device" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "order_refund_of" ON "order_refund" USING btree ("order_id","requested_at");--> statement-breakpoint
CREATE UNIQUE INDEX "order_refund_line_once" ON "order_refund_line" USING btree ("refund_id","order_line_id");--> statement-breakpoint
CREATE INDEX "order_refund_line_of" ON "order_refund_line" USING btree ("order_line_id");--> statement-breakpoint
CREATE INDEX "reconciliation_row_report" ON "reconciliation_row" USING btree ("day","provider","attempt_id");--> statement-breakpoint
CREATE INDEX "payment_attempt_reference" ON "payment_attempt" USING btree ("reference","created_at");--> statement-breakpoint
CREATE INDEX "payment_attempt_newest" ON "payment_attempt" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "payment_attempt_ask" ON "payment_attempt" USING btree ("ask_at") WHERE "payment_attempt"."ask_at" is not null;--> statement-breakpoint
CREATE INDEX "payment_attempt_given_back" ON "payment_attempt" USING btree ("id","refunded_minor") WHERE "payment_attempt"."refunded_minor" > 0;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempt_provider_reference" ON "payment_attempt" USING btree ("provider","provider_reference");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempt_capture" ON "payment_attempt" USING btree ("provider","capture_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempt_completed" ON "payment_attempt" USING btree ("reference") WHERE "payment_attempt"."state" in ('completed', 'partially_refunded', 'refunded') and "payment_attempt"."completed_at" is not null;--> statement-breakpoint
CREATE INDEX "payment_attempt_completed_at" ON "payment_attempt" USING btree ("completed_at","id") WHERE "payment_attempt"."completed_at" is not null;--> statement-breakpoint
CREATE INDEX "payment_attempt_late" ON "payment_attempt" USING btree ("id") WHERE "payment_attempt"."capture_id" is not null and "payment_attempt"."completed_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_event_once" ON "payment_event" USING btree ("provider","event_id");--> statement-breakpoint
CREATE INDEX "payment_event_attempt" ON "payment_event" USING btree ("attempt_id");--> statement-breakpoint
CREATE INDEX "payment_refund_attempt" ON "payment_refund" USING btree ("attempt_id");--> statement-breakpoint
CREATE INDEX "payment_refund_ask" ON "payment_refund" USING btree ("ask_at") WHERE "payment_refund"."ask_at" is not null;--> statement-breakpoint
CREATE INDEX "payment_refund_held" ON "payment_refund" USING btree ("requested_at") WHERE "payment_refund"."state" = 'held';--> statement-breakpoint
CREATE INDEX "payment_refund_automatic" ON "payment_refund" USING btree ("requested_at") WHERE "payment_refund"."requested_by" = 'system';--> statement-breakpoint
CREATE UNIQUE INDEX "payment_refund_provider" ON "payment_refund" USING btree ("attempt_id","provider_refund_id");--> statement-breakpoint
CREATE INDEX "payment_refund_partner_id" ON "payment_refund" USING btree ("provider_refund_id") WHERE "payment_refund"."provider_refund_id" is not null;--> statement-breakpoint
CREATE INDEX "payment_refund_completed" ON "payment_refund" USING btree ("decided_at","id") WHERE "payment_refund"."state" = 'completed';--> statement-breakpoint
CREATE INDEX "setting_change_section" ON "setting_change" USING btree ("section");--> statement-breakpoint
CREATE INDEX "setting_proposal_waiting" ON "setting_proposal" USING btree ("section","id") WHERE "setting_proposal"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "payment_movement_at" ON "payment_movement" USING btree ("at","provider","id");--> statement-breakpoint
CREATE INDEX "payment_movement_capture" ON "payment_movement" USING btree ("provider","capture_id");--> statement-breakpoint
CREATE INDEX "audit_entry_subject" ON "audit_entry" USING btree ("subject_kind","subject_id");--> statement-breakpoint
CREATE INDEX "audit_entry_staff" ON "audit_entry" USING btree ("staff_id","at");--> statement-breakpoint
CREATE INDEX "audit_entry_newest" ON "audit_entry" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "desk_decision_of" ON "desk_decision" USING btree ("staff_id","undo_until");--> statement-breakpoint
CREATE INDEX "desk_decision_age" ON "desk_decision" USING btree ("at");--> statement-breakpoint
CREATE INDEX "staff_account_change_account" ON "staff_account_change" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "staff_passkey_account" ON "staff_passkey" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "staff_recovery_code_account" ON "staff_recovery_code" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "staff_reset_account" ON "staff_reset" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "staff_session_account" ON "staff_session" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "visa_application_passport" ON "visa_application" USING btree ("passport_hash");--> statement-breakpoint
CREATE INDEX "draft_expiry" ON "draft" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "draft_device_draft" ON "draft_device" USING btree ("draft_id");--> statement-breakpoint
CREATE INDEX "idempotency_key_expires_at" ON "idempotency_key" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "legal_hold_order" ON "legal_hold" USING btree ("order_number");
--> statement-breakpoint
CREATE INDEX "deletion_record_at" ON "deletion_record" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "deletion_record_case" ON "deletion_record" USING btree ("case_id");
--> statement-breakpoint
CREATE INDEX "privacy_case_arrived" ON "privacy_case" USING btree ("arrived_on","id");
--> statement-breakpoint
CREATE INDEX "desk_for_you_newest" ON "desk_for_you" USING btree ("staff_id","at");
--> statement-breakpoint
CREATE INDEX "desk_for_you_unread" ON "desk_for_you" USING btree ("staff_id") WHERE "desk_for_you"."read_at" is null;
--> statement-breakpoint
CREATE INDEX "desk_for_you_of" ON "desk_for_you" USING btree ("application_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "desk_for_you_note" ON "desk_for_you" USING btree ("note_id","staff_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "desk_view_name" ON "desk_view" USING btree ("staff_id","name");
--> statement-breakpoint
CREATE INDEX "application_correction_unchecked" ON "application_correction" USING btree ("application_id") WHERE "application_correction"."answered_at" is not null and "application_correction"."checked_at" is null;
--> statement-breakpoint
-- From here on by hand: what the tables cannot say.
-- The audit trail is append-only, for the tables' owner too. Rows leave in one way: whole, sealed, and a year old.
CREATE FUNCTION "audit_refuse"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'audit_entry' THEN
    IF current_setting('lale.audit_delete', true) = 'on' AND OLD.at < now() - interval '1 year'
      AND EXISTS (SELECT 1 FROM audit_seal WHERE day = (OLD.at AT TIME ZONE 'UTC')::date) THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit trail is append-only' USING ERRCODE = 'insufficient_privilege';
END
$$;
--> statement-breakpoint
-- Runs with the owner's rights, so that a service whose role may only read and insert can still keep the retention.
CREATE FUNCTION "audit_delete"(before date) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  gone bigint;
BEGIN
  PERFORM set_config('lale.audit_delete', 'on', true);
  DELETE FROM audit_entry e
    WHERE e.at < least(before::timestamp, date_trunc('day', now() AT TIME ZONE 'UTC') - interval '1 year') AT TIME ZONE 'UTC'
      AND EXISTS (SELECT 1 FROM audit_seal s WHERE s.day = (e.at AT TIME ZONE 'UTC')::date);
  GET DIAGNOSTICS gone = ROW_COUNT;
  PERFORM set_config('lale.audit_delete', 'off', true);
  RETURN gone;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "audit_entry_append_only" BEFORE UPDATE OR DELETE ON "audit_entry" FOR EACH ROW EXECUTE FUNCTION "audit_refuse"();
--> statement-breakpoint
CREATE TRIGGER "audit_entry_no_truncate" BEFORE TRUNCATE ON "audit_entry" FOR EACH STATEMENT EXECUTE FUNCTION "audit_refuse"();
--> statement-breakpoint
CREATE TRIGGER "audit_seal_append_only" BEFORE UPDATE OR DELETE ON "audit_seal" FOR EACH ROW EXECUTE FUNCTION "audit_refuse"();
--> statement-breakpoint
CREATE TRIGGER "audit_seal_no_truncate" BEFORE TRUNCATE ON "audit_seal" FOR EACH STATEMENT EXECUTE FUNCTION "audit_refuse"();
--> statement-breakpoint
ALTER TABLE "audit_entry" ENABLE ALWAYS TRIGGER "audit_entry_append_only";
--> statement-breakpoint
ALTER TABLE "audit_entry" ENABLE ALWAYS TRIGGER "audit_entry_no_truncate";
--> statement-breakpoint
ALTER TABLE "audit_seal" ENABLE ALWAYS TRIGGER "audit_seal_append_only";
--> statement-breakpoint
ALTER TABLE "audit_seal" ENABLE ALWAYS TRIGGER "audit_seal_no_truncate";
--> statement-breakpoint
-- What was sold and promised when is never rewritten: a decision is followed by another one, or taken back by a row of its own.
CREATE FUNCTION "setting_refuse"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'settings are append-only' USING ERRCODE = 'insufficient_privilege';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "setting_change_append_only" BEFORE UPDATE OR DELETE ON "setting_change" FOR EACH ROW EXECUTE FUNCTION "setting_refuse"();
--> statement-breakpoint
CREATE TRIGGER "setting_change_no_truncate" BEFORE TRUNCATE ON "setting_change" FOR EACH STATEMENT EXECUTE FUNCTION "setting_refuse"();
--> statement-breakpoint
ALTER TABLE "setting_change" ENABLE ALWAYS TRIGGER "setting_change_append_only";
--> statement-breakpoint
ALTER TABLE "setting_change" ENABLE ALWAYS TRIGGER "setting_change_no_truncate";
--> statement-breakpoint
-- Processes keep rows of these tables in memory (`platform/postgres/topics.ts`) and listen on this channel.
CREATE FUNCTION "notify_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_catalog.pg_notify('lale_invalidate', TG_TABLE_NAME);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "setting_change_notify" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "setting_change" FOR EACH STATEMENT EXECUTE FUNCTION "notify_changed"();
--> statement-breakpoint
CREATE TRIGGER "country_notify" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "country" FOR EACH STATEMENT EXECUTE FUNCTION "notify_changed"();
--> statement-breakpoint
CREATE TRIGGER "desk_view_notify" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "desk_view" FOR EACH STATEMENT EXECUTE FUNCTION "notify_changed"();
--> statement-breakpoint
CREATE TRIGGER "staff_account_notify" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "staff_account" FOR EACH STATEMENT EXECUTE FUNCTION "notify_changed"();
--> statement-breakpoint
CREATE TRIGGER "payment_partner_notify" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "payment_partner" FOR EACH STATEMENT EXECUTE FUNCTION "notify_changed"();
--> statement-breakpoint
-- Open pages of the desk are told that something of these tables changed, and of what kind, nothing else (`platform/postgres/topics.ts`).
CREATE FUNCTION "notify_desk"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_catalog.pg_notify('lale_desk', TG_ARGV[0]);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "application_notify_desk" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "application" FOR EACH STATEMENT EXECUTE FUNCTION "notify_desk"('queue');
--> statement-breakpoint
CREATE TRIGGER "application_correction_notify_desk" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "application_correction" FOR EACH STATEMENT EXECUTE FUNCTION "notify_desk"('queue');
--> statement-breakpoint
CREATE TRIGGER "desk_claim_notify_desk" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "desk_claim" FOR EACH STATEMENT EXECUTE FUNCTION "notify_desk"('queue');
--> statement-breakpoint
CREATE TRIGGER "desk_upload_notify_desk" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "desk_upload" FOR EACH STATEMENT EXECUTE FUNCTION "notify_desk"('queue');
--> statement-breakpoint
CREATE TRIGGER "desk_put_off_notify_desk" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "desk_put_off" FOR EACH STATEMENT EXECUTE FUNCTION "notify_desk"('queue');
--> statement-breakpoint
CREATE TRIGGER "case_message_notify_desk" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "case_message" FOR EACH STATEMENT EXECUTE FUNCTION "notify_desk"('queue');
--> statement-breakpoint
CREATE TRIGGER "application_document_notify_desk" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "application_document" FOR EACH STATEMENT EXECUTE FUNCTION "notify_desk"('case');
--> statement-breakpoint
CREATE TRIGGER "desk_note_notify_desk" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "desk_note" FOR EACH STATEMENT EXECUTE FUNCTION "notify_desk"('case');
--> statement-breakpoint
CREATE TRIGGER "email_notify_desk" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "email" FOR EACH STATEMENT EXECUTE FUNCTION "notify_desk"('case');
--> statement-breakpoint
CREATE TRIGGER "payment_alert_notify_desk" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "payment_alert" FOR EACH STATEMENT EXECUTE FUNCTION "notify_desk"('money');
--> statement-breakpoint
CREATE TRIGGER "payment_partner_notify_desk" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "payment_partner" FOR EACH STATEMENT EXECUTE FUNCTION "notify_desk"('money');
--> statement-breakpoint
CREATE TRIGGER "payment_refund_notify_desk" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "payment_refund" FOR EACH STATEMENT EXECUTE FUNCTION "notify_desk"('money');
--> statement-breakpoint
CREATE TRIGGER "setting_proposal_notify_desk" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "setting_proposal" FOR EACH STATEMENT EXECUTE FUNCTION "notify_desk"('money');
--> statement-breakpoint
CREATE TRIGGER "desk_for_you_notify_desk" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "desk_for_you" FOR EACH STATEMENT EXECUTE FUNCTION "notify_desk"('own');
--> statement-breakpoint
CREATE TRIGGER "desk_second_look_notify_desk" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "desk_second_look" FOR EACH STATEMENT EXECUTE FUNCTION "notify_desk"('own');
