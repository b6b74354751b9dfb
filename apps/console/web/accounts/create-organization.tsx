import { Box, Text } from '@mantine/core'
import { EmptyState } from '../parts/empty-state.js'
import { platformClient } from '../platform/client.js'
import { accountsTexts } from '../texts/accounts.js'
import { OrganizationNameForm } from './organization-name-form.js'

const texts = accountsTexts.organization

export function CreateOrganization() {
  return (
    <EmptyState title={texts.create} text={texts.createText}>
      <Box w={300} maw="100%">
        <OrganizationNameForm
          name=""
          action={texts.createSubmit}
          button="wide"
          save={(body) => platformClient.accounts.organizations.create({ body })}
        />
      </Box>
      <Text size="sm" c="dimmed">
        {texts.createInvited}
      </Text>
    </EmptyState>
  )
}
