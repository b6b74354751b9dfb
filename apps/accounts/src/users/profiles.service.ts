import { Injectable } from '@nestjs/common'
import type { UserProfile } from '@trestle/contracts/accounts/users'
import { Clock } from '@trestle/runtime/clock'
import { ProfilesRepository } from './profiles.repository.js'
import { type Profile, unknownUser } from './user.js'
import { UsersRepository } from './users.repository.js'

@Injectable()
export class ProfilesService {
  constructor(
    private readonly profiles: ProfilesRepository,
    private readonly users: UsersRepository,
    private readonly clock: Clock,
  ) {}

  async get(userId: string): Promise<UserProfile> {
    const profile = await this.profiles.find(userId)
    if (!profile) throw unknownUser()
    return profile
  }

  async update(userId: string, change: Partial<Profile>): Promise<UserProfile> {
    await this.users.updateProfile(userId, change, this.clock.now())
    return this.get(userId)
  }
}
