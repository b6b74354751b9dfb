import { hash } from 'node:crypto'
import { Controller, Header, Inject, Req, Res } from '@nestjs/common'
import { discovery } from '@trestle/contracts/accounts/discovery'
import type { Reply } from '@trestle/contracts/endpoint'
import { Serves } from '@trestle/runtime/serves'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { OwnKeysService } from '../signing-keys/own-keys.service.js'
import { issuerOf } from '../tokens/issuer-url.js'
import { authorizationServer } from './authorization-server.js'

// Shorter than the time that a new key is published before it signs.
const CACHE_CONTROL = 'public, max-age=300'

@Controller()
export class DiscoveryController {
  constructor(
    private readonly keys: OwnKeysService,
    @Inject(ENV) private readonly env: AccountsEnv,
  ) {}

  /** Replies directly: Nest would replace the 304 (RFC 9110 section 13.1.2) by a 200. */
  @Serves(discovery.keys)
  async jwks(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<Reply<typeof discovery.keys>> {
    const { account, client } = await this.keys.fetch()
    const jwks = { keys: [...account, ...client] }
    const etag = `"${hash('sha256', JSON.stringify(jwks), 'base64url')}"`
    void reply.headers({ etag, 'cache-control': CACHE_CONTROL })
    if (matches(request.headers['if-none-match'], etag)) void reply.code(304).send()
    else void reply.send(jwks)
    return jwks
  }

  @Serves(discovery.metadata)
  @Header('cache-control', CACHE_CONTROL)
  metadata(): Reply<typeof discovery.metadata> {
    return authorizationServer(issuerOf(this.env))
  }

  @Serves(discovery.metadataOfIssuer)
  @Header('cache-control', CACHE_CONTROL)
  metadataOfIssuer(): Reply<typeof discovery.metadataOfIssuer> {
    return this.metadata()
  }
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}
