import { Controller, createParamDecorator, type ExecutionContext, Header, Req } from '@nestjs/common'
import { sessions } from '@trestle/contracts/accounts/sessions'
import type { Reply } from '@trestle/contracts/endpoint'
import { Serves } from '@trestle/runtime/serves'
import type { FastifyRequest } from 'fastify'
import { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { sessionCaller } from './sign-in.js'
import { SignInService } from './sign-in.service.js'

/** Every `Authorization` header, including a second one, which Node would drop. */
const Authorization = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>().raw.headersDistinct.authorization ?? [],
)

@Controller()
export class SignInController {
  constructor(private readonly service: SignInService) {}

  @Serves(sessions.signIn)
  @Header('cache-control', 'no-store')
  async signIn(
    @Req() request: FastifyRequest,
    @Authorization() authorization: readonly string[],
    @RequestOrigin() origin: RequestOrigin,
  ): Promise<Reply<typeof sessions.signIn>> {
    const signedIn = await this.service.signIn(authorization, origin)
    request.caller = sessionCaller(signedIn)
    return { accessToken: signedIn.accessToken }
  }
}
