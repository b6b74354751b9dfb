import { Inject, Injectable } from '@nestjs/common'
import { Sealer } from '@trestle/runtime/sealing'
import type { NodesEnv } from '../env.js'
import { ENV } from '../settings.module.js'

/** Keeps passwords from whoever has the database only; each for the node, cluster or machine of this id alone. */
@Injectable()
export class NodeSealerService {
  private readonly sealer: Sealer

  constructor(@Inject(ENV) { KEY_ENCRYPTION_KEYS }: Pick<NodesEnv, 'KEY_ENCRYPTION_KEYS'>) {
    this.sealer = new Sealer(KEY_ENCRYPTION_KEYS)
  }

  seal(password: string, id: string): Buffer {
    return this.sealer.seal(password, Buffer.from(id))
  }

  open(sealed: Buffer, id: string): string {
    return this.sealer.open(sealed, Buffer.from(id))
  }
}
