-- Sets `updated_at` when a statement writes one of the columns that people change; counters, leases and what workers find
-- out leave it alone. A statement that sets `updated_at` itself has its way.
-- Emails, deliveries, webhook deliveries and opening hours have none: workers update them all the time, and a row trigger
-- before an update locks each row once more. Their statements set `updated_at`.
CREATE OR REPLACE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := transaction_timestamp();
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER organizations_touch
  BEFORE UPDATE OF name, multi_region, daily_sends, daily_sends_ceiling, second_factor_required ON organizations
  FOR EACH ROW WHEN (NEW.updated_at = OLD.updated_at) EXECUTE FUNCTION touch();

CREATE OR REPLACE TRIGGER users_touch
  BEFORE UPDATE OF email, name, password_hash, email_proven_at ON users
  FOR EACH ROW WHEN (NEW.updated_at = OLD.updated_at) EXECUTE FUNCTION touch();

CREATE OR REPLACE TRIGGER projects_touch
  BEFORE UPDATE OF name, slug, per_second_sends, per_second_sends_ceiling, max_recipients, max_recipients_ceiling,
    max_domains, max_domains_ceiling, max_api_keys, max_api_keys_ceiling, max_webhooks, max_webhooks_ceiling,
    click_tracking, open_tracking, read_engagement, scroll_depth, unsubscribe_tracking, ambiguous_policy, tls,
    brand_name, brand_color, brand_logo, brand_logo_type, suspended_at, suspension_reason ON projects
  FOR EACH ROW WHEN (NEW.updated_at = OLD.updated_at) EXECUTE FUNCTION touch();

CREATE OR REPLACE TRIGGER notice_targets_touch
  BEFORE UPDATE OF url ON notice_targets
  FOR EACH ROW WHEN (NEW.updated_at = OLD.updated_at) EXECUTE FUNCTION touch();

CREATE OR REPLACE TRIGGER api_keys_touch
  BEFORE UPDATE OF name, permissions, allowed_addresses, allowed_domains, expires_at, revoked_at ON api_keys
  FOR EACH ROW WHEN (NEW.updated_at = OLD.updated_at) EXECUTE FUNCTION touch();

-- What checks of the DNS find writes most columns: those statements say themselves whether anything changed.
CREATE OR REPLACE TRIGGER domains_touch
  BEFORE UPDATE OF mail_from_domain, tracking_domain ON domains
  FOR EACH ROW WHEN (NEW.updated_at = OLD.updated_at) EXECUTE FUNCTION touch();

CREATE OR REPLACE TRIGGER contacts_touch
  BEFORE UPDATE OF email, first_name, last_name, phone, image_url, image_key, properties, unsubscribed ON contacts
  FOR EACH ROW WHEN (NEW.updated_at = OLD.updated_at) EXECUTE FUNCTION touch();

CREATE OR REPLACE TRIGGER contact_properties_touch
  BEFORE UPDATE OF key, type, fallback_value ON contact_properties
  FOR EACH ROW WHEN (NEW.updated_at = OLD.updated_at) EXECUTE FUNCTION touch();

CREATE OR REPLACE TRIGGER topics_touch
  BEFORE UPDATE OF name, description, default_subscription, visibility ON topics
  FOR EACH ROW WHEN (NEW.updated_at = OLD.updated_at) EXECUTE FUNCTION touch();

CREATE OR REPLACE TRIGGER topic_preferences_touch
  BEFORE UPDATE OF subscription ON topic_preferences
  FOR EACH ROW WHEN (NEW.updated_at = OLD.updated_at) EXECUTE FUNCTION touch();

CREATE OR REPLACE TRIGGER segments_touch
  BEFORE UPDATE OF name, filter ON segments
  FOR EACH ROW WHEN (NEW.updated_at = OLD.updated_at) EXECUTE FUNCTION touch();

CREATE OR REPLACE TRIGGER templates_touch
  BEFORE UPDATE OF name, subject, html, text, variables ON templates
  FOR EACH ROW WHEN (NEW.updated_at = OLD.updated_at) EXECUTE FUNCTION touch();

CREATE OR REPLACE TRIGGER inbound_routes_touch
  BEFORE UPDATE OF pattern, webhook_id, keep_days ON inbound_routes
  FOR EACH ROW WHEN (NEW.updated_at = OLD.updated_at) EXECUTE FUNCTION touch();

-- Not where retention removes the attachments.
CREATE OR REPLACE TRIGGER broadcasts_touch
  BEFORE UPDATE OF subject, from_header, entries, content, template, topic_id, test_mode, scheduled_at ON broadcasts
  FOR EACH ROW WHEN (NEW.updated_at = OLD.updated_at AND NEW.emptied_at IS NOT DISTINCT FROM OLD.emptied_at) EXECUTE FUNCTION touch();

CREATE OR REPLACE TRIGGER webhooks_touch
  BEFORE UPDATE OF name, url, events, filters, transformations, secret, disabled_at ON webhooks
  FOR EACH ROW WHEN (NEW.updated_at = OLD.updated_at) EXECUTE FUNCTION touch();
