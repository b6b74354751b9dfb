import { jest } from '@jest/globals'
import { z } from 'zod'
import { parseEnv, serviceEnv } from '../src/env.js'
import { bootTestService } from './test-service.js'

const Trusted = z.object({ NODE_ENV: serviceEnv.NODE_ENV, TRUSTED_PROXIES: serviceEnv.TRUSTED_PROXIES })

it.each([
  ['production', undefined, []],
  ['production', '10.0.0.7, 10.1.0.0/16', ['10.0.0.7', '10.1.0.0/16']],
  ['development', undefined, ['loopback']],
])(
  'a service in %s with TRUSTED_PROXIES=%s logs first whose X-Forwarded-For it trusts',
  async (NODE_ENV, TRUSTED_PROXIES, trustedProxies) => {
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
    const service = await bootTestService({ ...parseEnv(Trusted, { NODE_ENV, TRUSTED_PROXIES }), LOG_LEVEL: 'info' })
    await service.stop()
    const [line = ''] = write.mock.calls.map(([text]) => String(text))
    write.mockRestore()
    expect(JSON.parse(line)).toMatchObject({ msg: 'listening', url: service.url, trustedProxies })
  },
)
