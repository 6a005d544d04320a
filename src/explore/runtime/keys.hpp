// Thread-specific values of logical threads (pthread_key_create), for who begins and ends those.
#pragma once

namespace linchpin::explorer {

/// The thread has none.
void begin_specific_values(unsigned thread);
/// The thread, which is the running one, ends: calls the destructors of its keys.
void destroy_specific_values(unsigned thread);

}  // namespace linchpin::explorer
