-- When somebody else may have the key: what it signed is no longer valid, whenever it was signed.
ALTER TABLE signing_key ADD COLUMN compromised_at timestamptz(3);
