import { Box, Text } from '@mantine/core'
import { EmptyState } from '../parts/empty-state.js'
import { platformClient } from '../platform/client.js'
import { accountsTexts } from '../texts/accounts.js'
import { OrganizationNameForm } from './organization-name-form.js'

const texts = accountsTexts.organization

/** `onCreated` is called before the page shows it. */
export function CreateOrganization({ onCreated }: { onCreated?: (id: string) => void }) {
  return (
    <EmptyState title={texts.create} text={texts.createText}>
      <Box w={300} maw="100%">
        <OrganizationNameForm
          name=""
          action={texts.createSubmit}
          button="wide"
          save={async (body) => {
            const { id } = await platformClient.accounts.organizations.create({ body })
            onCreated?.(id)
          }}
        />
      </Box>
      <Text size="sm" c="dimmed">
        {texts.createInvited}
      </Text>
    </EmptyState>
  )
}
