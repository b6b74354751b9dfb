import { Module } from '@nestjs/common'
import { ClientKeysModule } from '../client-keys/client-keys.module.js'
import { SigningKeysModule } from '../signing-keys/signing-keys.module.js'
import { IssuerService } from './issuer.service.js'
import { OAuthService } from './oauth.service.js'
import { RefreshTokensRepository } from './refresh-tokens.repository.js'
import { RefreshTokensService } from './refresh-tokens.service.js'
import { TokenReaderService } from './token-reader.service.js'
import { TokensController } from './tokens.controller.js'
import { TokensService } from './tokens.service.js'

@Module({
  imports: [ClientKeysModule, SigningKeysModule],
  controllers: [TokensController],
  providers: [IssuerService, OAuthService, RefreshTokensRepository, RefreshTokensService, TokenReaderService, TokensService],
  exports: [IssuerService, OAuthService],
})
export class TokensModule {}
