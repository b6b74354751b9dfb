import { DEVICE_CODE_GRANT } from '@trestle/contracts/accounts/device-logins'
import { CLIENT_AREAS } from '@trestle/contracts/areas'

const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post']

/** The metadata of RFC 8414 section 2. */
export function authorizationServer(issuer: string) {
  return {
    issuer,
    token_endpoint: `${issuer}/oauth2/token`,
    device_authorization_endpoint: `${issuer}/oauth2/device_authorization`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    introspection_endpoint: `${issuer}/oauth2/introspect`,
    service_documentation: `${issuer}/docs`,
    scopes_supported: [...CLIENT_AREAS],
    // There is no authorization endpoint.
    response_types_supported: [],
    grant_types_supported: ['client_credentials', 'refresh_token', DEVICE_CODE_GRANT],
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    introspection_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
  }
}
