-- What was typed at the sign-up that mailed a verification token, as JSON: it takes effect only with this token.
ALTER TABLE email_token ADD COLUMN registration jsonb;

-- For the removal of users who never verify.
CREATE INDEX user_unverified ON "user" (updated_at) WHERE verified_at IS NULL;

-- Areas that have only now begun to refuse the calls of disabled users learn who is disabled already.
INSERT INTO outbox (subject, payload, headers)
SELECT 'accounts.user.disabled',
       jsonb_build_object('userId', id, 'disabledAt', to_char(disabled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
       '{"Fact-Stream": "ACCOUNTS"}'
  FROM "user"
 WHERE disabled_at IS NOT NULL;

-- Refresh tokens that replaced one another, for RFC 9700 section 4.14.2: the family is the hash of the first, which has none.
ALTER TABLE refresh_token
  ADD COLUMN family bytea,
  ADD COLUMN generation integer NOT NULL DEFAULT 0,
  ADD COLUMN used_at timestamptz(3);
CREATE INDEX refresh_token_family ON refresh_token (family);
