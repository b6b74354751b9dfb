import { Controller, createParamDecorator, type ExecutionContext, Header, Req } from '@nestjs/common'
import { sessions } from '@trestle/contracts/accounts/sessions'
import type { Reply } from '@trestle/contracts/endpoint'
import { Serves } from '@trestle/runtime/serves'
import type { FastifyRequest } from 'fastify'
import { Origin } from '../throttling/origin.decorator.js'
import { callerOf } from './sign-in.js'
import { SignInService } from './sign-in.service.js'

/** Every `Authorization` header, also a second one that Node would drop. */
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
    @Origin() origin: Origin,
  ): Promise<Reply<typeof sessions.signIn>> {
    const signedIn = await this.service.signIn(authorization, origin)
    request.caller = callerOf(signedIn)
    return { accessToken: signedIn.accessToken }
  }
}
