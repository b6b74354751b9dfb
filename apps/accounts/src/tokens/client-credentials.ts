import { Problem } from '@trestle/problem/problem'
import { invalidClient } from '../client-keys/client-key.js'
import { parseBasic } from '../sign-in/basic-credentials.js'

interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

type Form = Readonly<Record<string, string>>

/** How a client authenticates at the OAuth endpoints: HTTP Basic or the form, not both (RFC 6749 section 2.3). */
export function clientCredentialsOf(authorization: readonly string[], form: Form): ClientCredentials {
  const { client_id: clientId, client_secret: clientSecret } = form
  // A header of another scheme, such as a stale bearer token, is ignored.
  if (!authorization.some((header) => /^basic\b/i.test(header))) {
    if (!clientId || !clientSecret) throw invalidClient()
    return { clientId, clientSecret }
  }
  const basic = parseBasic(authorization)
  if (clientSecret !== undefined) throw conflictingCredentials()
  if (!basic) throw invalidClient()
  const credentials = { clientId: formDecode(basic.identifier), clientSecret: formDecode(basic.password) }
  if (clientId !== undefined && clientId !== credentials.clientId) throw conflictingCredentials()
  return credentials
}

// RFC 6749 section 2.3.1: both parts are form-encoded before they go into the header.
function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalidClient()
  }
}

function conflictingCredentials(): Problem {
  return new Problem('invalid', 'InvalidRequest', 'A client authenticates in one way: by the Authorization header or by the form.')
}
