import { Injectable } from '@nestjs/common'
import { z } from 'zod'
import { AccountsDatabase, type AccountsTransaction } from '../database.module.js'
import type { DeviceLogin as DeviceLoginRow } from '../generated/prisma/client.js'
import { type DeviceLoginRecord, hashDeviceCode } from './device-login.js'

const State = z.enum(['pending', 'approved', 'refused'])

type Decision = Required<Pick<DeviceLoginRecord, 'state' | 'userId' | 'epoch'>> & Pick<DeviceLoginRecord, 'proof'>

@Injectable()
export class DeviceLoginsRepository {
  constructor(private readonly database: AccountsDatabase) {}

  /** Returns whether the user code was free. */
  async insert(deviceCode: string, record: Omit<DeviceLoginRecord, 'proof'>): Promise<boolean> {
    const { count } = await this.database.deviceLogin.createMany({
      data: { hash: hashDeviceCode(deviceCode), ...record },
      skipDuplicates: true,
    })
    return count === 1
  }

  /** The device that shows a code and that nobody has decided about. */
  async findPending(userCode: string, now: Date): Promise<DeviceLoginRecord | undefined> {
    const row = await this.database.deviceLogin.findUnique({ where: { userCode, state: 'pending', expiresAt: { gt: now } } })
    return row ? fromRow(row) : undefined
  }

  /** Returns whether nobody else had decided. */
  async decide(userCode: string, { proof, ...decision }: Decision): Promise<boolean> {
    const data = { ...decision, factorMethods: [...(proof?.methods ?? [])], factorProvenAt: proof?.at }
    return (await this.database.deviceLogin.updateMany({ where: { userCode, state: 'pending' }, data })).count === 1
  }

  /** By what only the device has; locked until the transaction ends. */
  async lock(tx: AccountsTransaction, deviceCode: string): Promise<DeviceLoginRecord | undefined> {
    const hash = hashDeviceCode(deviceCode)
    await tx.$executeRaw`SELECT 1 FROM device_login WHERE hash = ${hash} FOR UPDATE`
    const row = await tx.deviceLogin.findUnique({ where: { hash } })
    return row ? fromRow(row) : undefined
  }

  /** Saves a poll; without a record the device login is used up. */
  async save(tx: AccountsTransaction, { userCode }: DeviceLoginRecord, next: DeviceLoginRecord | undefined): Promise<void> {
    if (!next) await tx.deviceLogin.delete({ where: { userCode } })
    else await tx.deviceLogin.update({ where: { userCode }, data: { polledAt: next.polledAt, intervalSeconds: next.intervalSeconds } })
  }
}

function fromRow({
  hash: _,
  state,
  polledAt,
  userId,
  epoch,
  factorMethods: methods,
  factorProvenAt,
  ...row
}: DeviceLoginRow): DeviceLoginRecord {
  const proof = factorProvenAt ? { methods, at: factorProvenAt } : undefined
  const optional = { polledAt: polledAt ?? undefined, userId: userId ?? undefined, epoch: epoch ?? undefined }
  return { ...row, ...optional, proof, state: State.parse(state) }
}
