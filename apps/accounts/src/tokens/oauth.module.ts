import { Module } from '@nestjs/common'
import { DeviceLoginModule } from '../device-login/device-login.module.js'
import { OAuthController } from './oauth.controller.js'
import { TokenEndpointService } from './token-endpoint.service.js'
import { TokensModule } from './tokens.module.js'

/** Apart from the tokens themselves: a device gets a session, which needs them. */
@Module({ imports: [DeviceLoginModule, TokensModule], controllers: [OAuthController], providers: [TokenEndpointService] })
export class OAuthModule {}
