import { Module } from '@nestjs/common'
import { ProviderDirectoryService } from './provider-directory.service.js'

/** Apart from the sign-in itself: whatever is about passwords asks it. */
@Module({ providers: [ProviderDirectoryService], exports: [ProviderDirectoryService] })
export class ProviderDirectoryModule {}
