// Memory of oneTBB's containers where they are explored: from the heap that is watched, and put back after each
// schedule, instead of tbbmalloc's. These functions of its compiled part give way to those of a program.
#include <oneapi/tbb/cache_aligned_allocator.h>
#include <oneapi/tbb/tbb_allocator.h>

#include <new>

namespace tbb::detail::r1 {

constexpr std::align_val_t kLine{128};

void* cache_aligned_allocate(std::size_t bytes) { return operator new(bytes, kLine); }
void cache_aligned_deallocate(void* block) { operator delete(block, kLine); }
void* allocate_memory(std::size_t bytes) { return operator new(bytes); }
void deallocate_memory(void* block) { operator delete(block); }

}  // namespace tbb::detail::r1
