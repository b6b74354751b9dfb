import { Injectable } from '@nestjs/common'
import { TOKEN_KINDS } from '@trestle/auth/claims'
import { DEVICE_CODE_GRANT } from '@trestle/contracts/accounts/device-logins'
import type { tokens } from '@trestle/contracts/accounts/tokens'
import type { Caller } from '@trestle/contracts/caller'
import type { Reply } from '@trestle/contracts/endpoint'
import { clientCaller } from '../client-keys/client-key.js'
import { DeviceRedemptionService } from '../device-login/device-redemption.service.js'
import { sessionCaller } from '../sign-in/sign-in.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { type OAuthRequest, OAuthService } from './oauth.service.js'

interface Granted {
  readonly caller: Caller
  readonly reply: Reply<typeof tokens.oauthToken>
}

/** The token endpoint: client keys have two grants, and the command line one of its own. */
@Injectable()
export class TokenEndpointService {
  constructor(
    private readonly oauth: OAuthService,
    private readonly devices: DeviceRedemptionService,
  ) {}

  async grant(request: OAuthRequest, origin: RequestOrigin): Promise<Granted> {
    if (request.form['grant_type'] === DEVICE_CODE_GRANT) return this.grantDevice(request, origin)
    const { client, accessToken, refreshToken, expiresIn, scope } = await this.oauth.token(request)
    const reply = { access_token: accessToken, token_type: 'Bearer' as const, expires_in: expiresIn, refresh_token: refreshToken, scope }
    return { caller: clientCaller(client), reply }
  }

  private async grantDevice({ form }: OAuthRequest, origin: RequestOrigin): Promise<Granted> {
    const signedIn = await this.devices.redeem(form, origin)
    const expires_in = TOKEN_KINDS.account.lifetimeSeconds
    return {
      caller: sessionCaller(signedIn),
      reply: { access_token: signedIn.accessToken, token_type: 'Bearer', expires_in, scope: 'account' },
    }
  }
}
