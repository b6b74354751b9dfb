import { z } from 'zod'
import { parseBasic } from '../sign-in/basic-credentials.js'
import { parseEmail } from '../users/email.js'

const Named = z.object({ email: z.string(), clientId: z.string(), client_id: z.string(), userId: z.string(), id: z.string() }).partial()

interface UnauthenticatedRequest {
  readonly authorization: readonly string[]
  readonly body: unknown
  readonly params: unknown
}

/** The e-mail address, user or client key that a request without a token names, in its canonical spelling. */
export function attemptedName({ authorization, body, params }: UnauthenticatedRequest): string | undefined {
  const { email, clientId, client_id } = Named.safeParse(body).data ?? {}
  const { userId, id } = Named.safeParse(params).data ?? {}
  const name = parseBasic(authorization)?.identifier ?? email ?? clientId ?? client_id ?? userId ?? id
  return name && canonicalName(name)
}

export function canonicalName(name: string): string {
  return parseEmail(name)?.canonical ?? name
}
