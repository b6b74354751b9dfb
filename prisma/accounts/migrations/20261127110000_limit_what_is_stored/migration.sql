-- The oldest refresh tokens of a client key end when it has too many.
CREATE INDEX refresh_token_client_issued ON refresh_token (client_id, issued_at DESC);
DROP INDEX refresh_token_client;
