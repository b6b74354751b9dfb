ALTER TABLE client_key
  -- Null: of the personal organization of its user, as all keys of the release before.
  ADD COLUMN organization_id text,
  -- Who made it, if that is not its user: it is a service account's.
  ADD COLUMN created_by text,
  ADD COLUMN per_second integer,
  ADD COLUMN per_day integer,
  -- Addresses and CIDR blocks; empty: any.
  ADD COLUMN allowed_ips text[] NOT NULL DEFAULT '{}',
  -- The network, not the address.
  ADD COLUMN last_used_from text,
  -- The secret before the last rotation, until when it may be used.
  ADD COLUMN former_secret_hash bytea,
  ADD COLUMN former_secret_until timestamptz(3),
  ADD COLUMN expiry_notified_at timestamptz(3);
CREATE INDEX client_key_organization ON client_key (organization_id, created_at DESC);
CREATE INDEX client_key_expires ON client_key (expires_at) WHERE expiry_notified_at IS NULL;

-- A service account is a user that cannot sign in: the organization that it belongs to; null of people.
ALTER TABLE "user" ADD COLUMN service_account_of text;
