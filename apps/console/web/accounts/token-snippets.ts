interface Key {
  readonly clientId: string
  readonly clientSecret: string
}

/** How a program gets a token with its key. */
export function tokenSnippets({ clientId, clientSecret }: Key, origin: string): Readonly<Record<string, string>> {
  const body = JSON.stringify({ grantType: 'clientCredentials', clientId, clientSecret })
  return {
    curl: `curl -s ${origin}/accounts/auth/token \\
  -H 'Content-Type: application/json' \\
  -d '${body}'`,
    JavaScript: `const answer = await fetch('${origin}/accounts/auth/token', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    grantType: 'clientCredentials',
    clientId: '${clientId}',
    clientSecret: '${clientSecret}',
  }),
})
const { accessToken } = await answer.json()`,
    OAuth: `curl -s ${origin}/accounts/oauth2/token \\
  -u '${clientId}:${clientSecret}' \\
  -d grant_type=client_credentials`,
  }
}
