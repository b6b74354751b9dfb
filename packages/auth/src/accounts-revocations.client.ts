import { Injectable } from '@nestjs/common'
import { listRevocations } from '@trestle/contracts/accounts/messages'
import type { ReplyOf, RequestOf } from '@trestle/contracts/message'
import { NatsClient } from '@trestle/messaging/nats.client'
import { firstValueFrom } from 'rxjs'
import { AuthConfig } from './auth-config.js'
import { RevocationSource } from './revocations.js'

const HTTP_TIMEOUT_MS = 3_000

/** The revocations, from the accounts service: over NATS, or by its internal HTTP port while NATS is away. */
@Injectable()
export class AccountsRevocationsClient extends RevocationSource {
  constructor(
    private readonly nats: NatsClient,
    private readonly config: AuthConfig,
  ) {
    super()
  }

  async list(request: RequestOf<typeof listRevocations>): Promise<ReplyOf<typeof listRevocations>> {
    try {
      return await firstValueFrom(this.nats.send(listRevocations, request))
    } catch (cause) {
      const { accountsInternalUrl } = this.config
      if (!accountsInternalUrl) throw cause
      return listOverHttp(accountsInternalUrl, request, cause)
    }
  }
}

async function listOverHttp(
  base: string,
  request: RequestOf<typeof listRevocations>,
  cause: unknown,
): Promise<ReplyOf<typeof listRevocations>> {
  const url = new URL('/revocations', base)
  for (const [name, value] of Object.entries(request)) if (value) url.searchParams.set(name, value)
  const response = await fetch(url, { signal: AbortSignal.timeout(HTTP_TIMEOUT_MS) })
  if (!response.ok) throw new Error(`${base} answered ${response.status}`, { cause })
  return listRevocations.reply.parse(await response.json())
}
