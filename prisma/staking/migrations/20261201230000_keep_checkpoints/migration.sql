-- The roots of the finalized checkpoints that epochs were booked from: a node that calls another chain final later is noticed. None are known of
-- epochs that the release before books.
CREATE TABLE booked_checkpoint (
  chain text NOT NULL,
  -- The epoch that begins with it.
  epoch integer NOT NULL,
  root bytea NOT NULL CHECK (octet_length(root) = 32),
  PRIMARY KEY (chain, epoch)
);
CREATE TRIGGER booked_checkpoint_kept BEFORE UPDATE OR DELETE ON booked_checkpoint FOR EACH ROW EXECUTE FUNCTION refuse_change();
