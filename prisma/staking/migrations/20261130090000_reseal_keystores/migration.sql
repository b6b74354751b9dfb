-- After a leak of KEY_ENCRYPTION_KEYS, passwords of keystores are sealed with another key. The key and its keystore still never change.
CREATE OR REPLACE TRIGGER validator_key_kept BEFORE UPDATE OF pubkey, keystore OR DELETE ON validator_key
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
