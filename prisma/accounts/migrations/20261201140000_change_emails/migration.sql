-- Changes of e-mail addresses: until confirmed with the token that was mailed to the new address, then until they can no longer be undone.
CREATE TABLE email_change (
  id                     text           PRIMARY KEY,
  user_id                text           NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
  email                  text           NOT NULL,
  email_canonical        text           NOT NULL,
  -- The revocation epoch at the request: whatever signs the user out everywhere ends the request, too.
  epoch                  integer        NOT NULL,
  -- SHA-256 of the token that confirms, and then of the one that undoes.
  token_hash             bytea          NOT NULL,
  created_at             timestamptz(3) NOT NULL,
  expires_at             timestamptz(3) NOT NULL,
  confirmed_at           timestamptz(3),
  former_email           text,
  former_email_canonical text
);
CREATE UNIQUE INDEX email_change_token ON email_change (token_hash);
CREATE INDEX email_change_user ON email_change (user_id);
CREATE INDEX email_change_expires ON email_change (expires_at);
