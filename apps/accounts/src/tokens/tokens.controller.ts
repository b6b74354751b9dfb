import { Controller, Req } from '@nestjs/common'
import { tokens } from '@trestle/contracts/accounts/tokens'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { networkPrefixOf } from '@trestle/runtime/network-prefix'
import { Parsed, Serves } from '@trestle/runtime/serves'
import type { FastifyRequest } from 'fastify'
import { clientCaller } from '../client-keys/client-key.js'
import { TokensService } from './tokens.service.js'

@Controller()
export class TokensController {
  constructor(private readonly tokens: TokensService) {}

  @Serves(tokens.issue)
  async issue(@Req() request: FastifyRequest, @Parsed() { body }: Input<typeof tokens.issue>): Promise<Reply<typeof tokens.issue>> {
    const { client, accessToken, refreshToken } = await this.tokens.grant(body, networkPrefixOf(request.clientAddress))
    request.caller = clientCaller(client)
    return { accessToken, refreshToken }
  }
}
