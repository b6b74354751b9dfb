import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import { Timestamp } from '../fields.js'

/** The public client of the command line (RFC 6749 section 2.1): it has no secret. */
export const COMMAND_LINE_CLIENT = 'trestle-cli'
export const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

export const DeviceLogin = z
  .object({
    userCode: z.string(),
    ip: z.string().meta({ description: 'Where the device asks from.' }),
    userAgent: z.string(),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  })
  .meta({ id: 'DeviceLogin' })
export type DeviceLogin = z.infer<typeof DeviceLogin>

const UserCode = z.object({ userCode: z.string().min(1).max(20) })

export const deviceLogins = {
  begin: endpoint({
    method: 'POST',
    path: '/oauth2/device_authorization',
    summary: 'Begin the sign-in of a device without a browser (RFC 8628), such as `trestle login --browser`. The client is `trestle-cli`.',
    access: 'public',
    body: z.record(z.string(), z.string()).meta({ id: 'DeviceAuthorizationForm' }),
    form: true,
    status: 200,
    reply: z
      .object({
        device_code: z.string(),
        user_code: z.string(),
        verification_uri: z.string(),
        verification_uri_complete: z.string(),
        expires_in: z.int(),
        interval: z.int(),
      })
      .meta({ id: 'DeviceAuthorization' }),
    problems: ['InvalidClient', 'TooManyRequests'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/users/me/device-logins/{userCode}',
    summary: 'The device that shows this code, and waits for somebody to sign it in.',
    access: 'account',
    params: UserCode,
    status: 200,
    reply: DeviceLogin,
    problems: ['UnknownDeviceLogin', 'TooManyAttempts'],
  }),
  decide: endpoint({
    method: 'PUT',
    path: '/users/me/device-logins/{userCode}',
    stepUp: true,
    summary: 'Sign the device in as yourself, or refuse it. It gets a session of its own. A session of the command line cannot do this.',
    access: 'account',
    audit: 'sign-in',
    params: UserCode,
    body: z.object({ decision: z.enum(['approve', 'refuse']) }).meta({ id: 'DeviceDecision' }),
    status: 204,
    problems: ['UnknownDeviceLogin', 'BrowserNeeded', 'TooManyAttempts'],
  }),
}
