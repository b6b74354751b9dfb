import { Controller, Header, Req } from '@nestjs/common'
import { secondFactors } from '@trestle/contracts/accounts/second-factors'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { Parsed, Serves } from '@trestle/runtime/serves'
import type { FastifyRequest } from 'fastify'
import { ChallengesService } from '../second-factors/challenges.service.js'
import { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { SecondStepService } from './second-step.service.js'
import { challengedCaller, sessionCaller } from './sign-in.js'

@Controller()
export class SecondStepController {
  constructor(
    private readonly challenges: ChallengesService,
    private readonly steps: SecondStepService,
  ) {}

  @Serves(secondFactors.signInWithPasskey)
  @Header('cache-control', 'no-store')
  signInWithPasskey(@RequestOrigin() { network }: RequestOrigin): Promise<Reply<typeof secondFactors.signInWithPasskey>> {
    return this.challenges.askAnyone(network)
  }

  @Serves(secondFactors.answer)
  @Header('cache-control', 'no-store')
  async answer(
    @Req() request: FastifyRequest,
    @Parsed() { body }: Input<typeof secondFactors.answer>,
    @RequestOrigin() origin: RequestOrigin,
  ): Promise<Reply<typeof secondFactors.answer>> {
    const asked = await this.challenges.require(body.challenge, 'sign-in', 'step-up')
    // Also a wrong code is recorded as this user's: the password, or a token, was right.
    request.caller = challengedCaller(asked)
    const signedIn = await this.steps.answer(asked, body, origin)
    request.caller = sessionCaller(signedIn)
    return { accessToken: signedIn.accessToken }
  }
}
