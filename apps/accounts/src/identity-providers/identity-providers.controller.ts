import { Controller, Header, Req } from '@nestjs/common'
import { identityProviders } from '@trestle/contracts/accounts/identity-providers'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import type { FastifyRequest } from 'fastify'
import { sessionCaller } from '../sign-in/sign-in.js'
import { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { ProviderCallbackService } from './provider-callback.service.js'
import { ProviderDirectoryService } from './provider-directory.service.js'
import { ProviderSignInService } from './provider-sign-in.service.js'
import { ProviderStepUpService } from './provider-step-up.service.js'

@Controller()
export class IdentityProvidersController {
  constructor(
    private readonly directory: ProviderDirectoryService,
    private readonly signIns: ProviderSignInService,
    private readonly stepUps: ProviderStepUpService,
    private readonly callbacks: ProviderCallbackService,
  ) {}

  @Serves(identityProviders.list)
  list(): Reply<typeof identityProviders.list> {
    return this.directory.list()
  }

  @Serves(identityProviders.begin)
  @Header('cache-control', 'no-store')
  begin(
    @Parsed() { params }: Input<typeof identityProviders.begin>,
    @RequestOrigin() origin: RequestOrigin,
  ): Promise<Reply<typeof identityProviders.begin>> {
    return this.signIns.begin(params.provider, origin)
  }

  @Serves(identityProviders.stepUp)
  @Header('cache-control', 'no-store')
  stepUp(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params }: Input<typeof identityProviders.stepUp>,
    @RequestOrigin() origin: RequestOrigin,
  ): Promise<Reply<typeof identityProviders.stepUp>> {
    return this.stepUps.begin(params.provider, caller, origin)
  }

  @Serves(identityProviders.finish)
  @Header('cache-control', 'no-store')
  async finish(
    @Req() request: FastifyRequest,
    @Parsed() input: Input<typeof identityProviders.finish>,
    @RequestOrigin() origin: RequestOrigin,
  ): Promise<Reply<typeof identityProviders.finish>> {
    const signedIn = await this.callbacks.finish(input, origin)
    request.caller = sessionCaller(signedIn)
    return { accessToken: signedIn.accessToken }
  }
}
