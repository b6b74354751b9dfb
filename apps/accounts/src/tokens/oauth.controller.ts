import { Controller, Req, UseFilters } from '@nestjs/common'
import { tokens } from '@trestle/contracts/accounts/tokens'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { networkPrefixOf } from '@trestle/runtime/network-prefix'
import { Parsed, Serves } from '@trestle/runtime/serves'
import type { FastifyRequest } from 'fastify'
import { clientCaller } from '../client-keys/client-key.js'
import { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { OAuthFilter } from './oauth.filter.js'
import { type OAuthRequest, OAuthService } from './oauth.service.js'
import { TokenEndpointService } from './token-endpoint.service.js'

@Controller()
@UseFilters(OAuthFilter)
export class OAuthController {
  constructor(
    private readonly oauth: OAuthService,
    private readonly tokens: TokenEndpointService,
  ) {}

  @Serves(tokens.oauthToken)
  async token(
    @Req() request: FastifyRequest,
    @Parsed() input: Input<typeof tokens.oauthToken>,
    @RequestOrigin() origin: RequestOrigin,
  ): Promise<Reply<typeof tokens.oauthToken>> {
    const { caller, reply } = await this.tokens.grant(oauthRequest(request, input.body), origin)
    request.caller = caller
    return reply
  }

  @Serves(tokens.oauthRevoke)
  async revoke(
    @Req() request: FastifyRequest,
    @Parsed() input: Input<typeof tokens.oauthRevoke>,
  ): Promise<Reply<typeof tokens.oauthRevoke>> {
    request.caller = clientCaller(await this.oauth.revoke(oauthRequest(request, input.body)))
    return {}
  }

  @Serves(tokens.oauthIntrospect)
  introspect(
    @Req() request: FastifyRequest,
    @Parsed() input: Input<typeof tokens.oauthIntrospect>,
  ): Promise<Reply<typeof tokens.oauthIntrospect>> {
    return this.oauth.introspect(oauthRequest(request, input.body))
  }
}

function oauthRequest({ raw, clientAddress }: FastifyRequest, form: Record<string, string>): OAuthRequest {
  return { form, authorization: raw.headersDistinct.authorization ?? [], network: networkPrefixOf(clientAddress) }
}
