import { Module } from '@nestjs/common'
import { KeyEndingsModule } from '../client-keys/key-endings.module.js'
import { MembershipsModule } from '../memberships/memberships.module.js'
import { OrganizationsModule } from '../organizations/organizations.module.js'
import { ServiceAccountsController } from './service-accounts.controller.js'
import { ServiceAccountsRepository } from './service-accounts.repository.js'
import { ServiceAccountsService } from './service-accounts.service.js'

@Module({
  imports: [KeyEndingsModule, MembershipsModule, OrganizationsModule],
  controllers: [ServiceAccountsController],
  providers: [ServiceAccountsRepository, ServiceAccountsService],
})
export class ServiceAccountsModule {}
